import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CopilotLab, createCopilotLab } from "../../src/agents/copilot/lab/copilot-lab.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { eachOf } from "./each-version.ts";

export const COPILOT_VERSIONS = ["1.0.102"] as const;

export const copilotProgram = (version: string): string =>
  join(import.meta.dir, `versions-copilot/node_modules/copilot-${version}/copilot`);

export const eachCopilot = eachOf({ title: "Copilot CLI", versions: COPILOT_VERSIONS, programOf: copilotProgram });

export type CopilotStage = {
  lab: CopilotLab;
  model: ScriptedModel;
  program: Program;
  /** The Ask that this matches, once there is one. */
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  all(): Promise<AskView[]>;
  parley(...args: string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};
/** `setup`: the arguments for `parley setup`. `files`: more of the project. */
type Options = { setup?: readonly string[]; files?(program: Program): Record<string, string> };

/** The real Copilot CLI in a terminal, and a Parley of its own. */
export async function openCopilotStage(
  version: string,
  script: Record<string, Say[]>,
  { setup = ["copilot"], files = () => ({}) }: Options = {},
): Promise<CopilotStage> {
  const model = createScriptedModel({ script });
  const program = createProgram();
  await program.start();
  const lab = await createCopilotLab({
    program: copilotProgram(version),
    model,
    env: { PARLEY_HOME: program.paths.home },
    async prepare({ home, project, copilot }) {
      const env = { HOME: home, COPILOT_HOME: copilot };
      const done = await program.parley(["setup", ...setup, "--yes"], { env, cwd: project });
      if (done.code !== 0) throw new Error(done.err);
      for (const [path, text] of Object.entries(files(program))) {
        await mkdir(join(project, path, ".."), { recursive: true });
        await writeFile(join(project, path), text);
      }
    },
  });
  const client = program.client("human");
  const all = async () => (await client.call("listAsks", { query: { state: "all", limit: 500 } })).asks;
  return {
    lab,
    model,
    program,
    all,
    find: (match) =>
      poll(async () => (await all()).find(match), {
        failure: async () => {
          const log = await Bun.file(program.paths.log).text();
          return `${JSON.stringify(await all(), null, 1)}\n${await lab.tmux.screen()}\n${log}`;
        },
      }),
    parley: (...args) => program.parley(args),
    async [Symbol.asyncDispose]() {
      await lab.close();
      await program.dispose();
      await model[Symbol.asyncDispose]();
    },
  };
}
