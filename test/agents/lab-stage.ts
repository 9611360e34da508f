import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { Tmux } from "../../src/lab/tmux.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

export type LabStage<Lab> = {
  lab: Lab;
  model: ScriptedModel;
  program: Program;
  /** The Ask that this matches, once there is one. */
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  all(): Promise<AskView[]>;
  /** A command; one that answers waits for the receipt as long as it takes. */
  parley(...args: string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};
export type Given = {
  model: ScriptedModel;
  program: Program;
  /** `parley setup`, before the agent is started. */
  setUp(args: readonly string[], at: { env: Record<string, string>; cwd: string }): Promise<void>;
};
/** `env`: of the commands that the test runs; `config`: its settings file. */
type Options = { env?: Record<string, string>; config?: string };

/** A real agent in a terminal, set up with `parley setup`, and a Parley of its own. */
export async function openLabStage<Lab extends { tmux: Tmux; close(): Promise<void> }>(
  script: Record<string, Say[]>,
  open: (given: Given) => Promise<Lab>,
  { env = {}, config = "" }: Options = {},
): Promise<LabStage<Lab>> {
  const model = createScriptedModel({ script });
  const program = createProgram();
  const settings = join(program.root, "config.toml");
  writeFileSync(settings, config);
  await program.start({ PARLEY_CONFIG: settings });
  const close = async () => {
    await program.dispose();
    await model[Symbol.asyncDispose]();
  };
  const setUp: Given["setUp"] = async (args, at) => {
    const done = await program.parley(["setup", ...args, "--yes"], at);
    if (done.code !== 0) throw new Error(done.err);
  };
  const lab = await open({ model, program, setUp }).catch(async (problem: unknown) => {
    await close();
    throw problem;
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
          return `${JSON.stringify((await all())[0], null, 1)}\n${await lab.tmux.screen()}\n${log.slice(-5000)}`;
        },
      }),
    parley: (...args) => program.parley(args, { env: { ...UNTIL_RECEIVED, ...env } }),
    async [Symbol.asyncDispose]() {
      await lab.close();
      await close();
    },
  };
}
