import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CopilotLab, createCopilotLab } from "../../src/agents/copilot/lab/copilot-lab.ts";
import type { Say } from "../../src/lab/model.ts";
import type { Program } from "../e2e/program.ts";
import { eachOf } from "./each-version.ts";
import { type LabStage, openLabStage } from "./lab-stage.ts";

export const COPILOT_VERSIONS = ["1.0.102"] as const;

export const copilotProgram = (version: string): string =>
  join(import.meta.dir, `versions-copilot/node_modules/copilot-${version}/copilot`);

export const eachCopilot = eachOf({ title: "Copilot CLI", versions: COPILOT_VERSIONS, programOf: copilotProgram });

export type CopilotStage = LabStage<CopilotLab>;
/** `setup`: the arguments for `parley setup`. `files`: more of the project. */
type Options = { setup?: readonly string[]; files?(program: Program): Record<string, string> };

export const openCopilotStage = (
  version: string,
  script: Record<string, Say[]>,
  { setup = ["copilot"], files = () => ({}) }: Options = {},
): Promise<CopilotStage> =>
  openLabStage(script, ({ model, program, setUp }) =>
    createCopilotLab({
      program: copilotProgram(version),
      model,
      env: { PARLEY_HOME: program.paths.home },
      async prepare({ home, project, copilot }) {
        await setUp(setup, { env: { HOME: home, COPILOT_HOME: copilot }, cwd: project });
        for (const [path, text] of Object.entries(files(program))) {
          await mkdir(join(project, path, ".."), { recursive: true });
          await writeFile(join(project, path), text);
        }
      },
    }),
  );
