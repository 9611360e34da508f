import { join } from "node:path";
import { createCodexLab, type CodexLab } from "../../src/agents/codex/lab/codex-lab.ts";
import type { Say } from "../../src/lab/model.ts";
import { eachOf } from "./each-version.ts";
import { type LabStage, openLabStage } from "./lab-stage.ts";

export const CODEX_VERSIONS = ["0.166.0"] as const;

/** The program itself: what npm puts on the PATH only starts it. */
export const codexProgram = (version: string): string =>
  join(import.meta.dir, `versions-codex/node_modules/codex-${version}/vendor/x86_64-unknown-linux-musl/bin/codex`);

export const eachCodex = eachOf({ title: "codex", versions: CODEX_VERSIONS, programOf: codexProgram });

export type CodexStage = LabStage<CodexLab>;

export const openCodexStage = (version: string, script: Record<string, Say[]>, config = ""): Promise<CodexStage> =>
  openLabStage(
    script,
    ({ model, setUp }) =>
      createCodexLab({
        program: codexProgram(version),
        model,
        prepare: ({ home, project, codex }) =>
          setUp(["codex"], { env: { HOME: home, CODEX_HOME: codex }, cwd: project }),
      }),
    { config },
  );
