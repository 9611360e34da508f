import { delimiter, join } from "node:path";
import { createQwenLab, waitForApproval, waitForQuestion } from "../../src/agents/qwen/lab/qwen-lab.ts";
import type { Say } from "../../src/lab/model.ts";
import { eachOf } from "./each-version.ts";
import { openKinStage } from "./gemini-stage.ts";

const installed = join(import.meta.dir, "versions-gemini/node_modules");
export const qwenProgram = (version: string): string => join(installed, `qwen-${version}/cli-entry.js`);
export const eachQwen = eachOf({ title: "Qwen Code", versions: ["0.24.4"], programOf: qwenProgram });
/** It wants a newer Node than Parley does. */
export const QWEN_PATH = [join(installed, "node-22/bin"), process.env["PATH"] ?? ""].join(delimiter);

export const openQwenStage = (version: string, script: Record<string, Say[]>, flags: readonly string[] = []) =>
  openKinStage(
    "qwen",
    script,
    ({ env, ...given }) => createQwenLab({ program: qwenProgram(version), env: { ...env, PATH: QWEN_PATH }, ...given }),
    { waitForQuestion, waitForApproval },
    flags,
  );
