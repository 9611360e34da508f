import { join } from "node:path";
import { createPiLab, type PiLab } from "../../src/agents/pi/lab/pi-lab.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { eachOf } from "./each-version.ts";

export const PI_VERSIONS = ["0.73.1"] as const;

/** The one that the tests of the tool run too. */
export const piProgram = (_version: string): string => join(import.meta.dir, "../hosts/node_modules/.bin/pi");

export const eachPi = eachOf({ title: "pi", versions: PI_VERSIONS, programOf: piProgram });

export type PiStage = {
  lab: PiLab;
  model: ScriptedModel;
  program: Program;
  /** The Ask that this matches, once there is one. */
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  parley(...args: string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real pi in a terminal, set up with `parley setup pi`, and a Parley of its own. */
export async function openPiStage(version: string, script: Record<string, Say[]>): Promise<PiStage> {
  const model = createScriptedModel({ script });
  const program = createProgram();
  await program.start();
  const lab = await createPiLab({
    program: piProgram(version),
    model,
    async prepare({ home, project }) {
      const done = await program.parley(["setup", "pi", "--yes"], { env: { HOME: home }, cwd: project });
      if (done.code !== 0) throw new Error(done.err);
    },
  });
  const client = program.client("human");
  const find = async (match: (ask: AskView) => boolean) =>
    (await client.call("listAsks", { query: { state: "all", limit: 500 } })).asks.find(match);
  return {
    lab,
    model,
    program,
    find: (match) =>
      poll(() => find(match), {
        failure: async () => {
          const log = await Bun.file(program.paths.log).text();
          return `${JSON.stringify(await find(() => true), null, 1)}\n${await lab.tmux.screen()}\n${log}`;
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
