import { eachOf } from "./each-version.ts";
import { join } from "node:path";
import { isSecond } from "../../src/agents/opencode/version.ts";

/** Newest first; 1.1.11 is the oldest published one that has the `question` tool, and keeps no database yet. */
export const OPENCODE_VERSIONS = ["1.18.33", "1.3.2", "1.1.11"] as const;

export type ToolQuestion = {
  question: string;
  header: string;
  multiple?: boolean;
  options: { label: string; description: string }[];
};

export const question = (text: string, labels: readonly string[], more: Partial<ToolQuestion> = {}): ToolQuestion => ({
  question: text,
  header: "Choice",
  options: labels.map((label) => ({ label, description: `What ${label} means` })),
  ...more,
});

/** The newest builds of opencode 2 that the registry has; its package holds nothing but the program. */
export const OPENCODE2_VERSIONS = ["0.0.0-next-16350"] as const;

export const opencodeProgram = (version: string): string =>
  isSecond(version)
    ? join(import.meta.dir, `versions-opencode2/node_modules/opencode2-${version}/bin/opencode2`)
    : join(import.meta.dir, `versions/node_modules/opencode-${version}/bin/opencode`);

export const eachOpencode = eachOf({ title: "opencode", versions: OPENCODE_VERSIONS, programOf: opencodeProgram });
export const eachOpencode2 = eachOf({ title: "opencode 2", versions: OPENCODE2_VERSIONS, programOf: opencodeProgram });
