import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOpencodeLab, type OpencodeLab } from "../../src/agents/opencode/lab/opencode-lab.ts";
import { opencodeEnvironment } from "../../src/agents/opencode/lab/home.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { opencodeProgram } from "./opencode-stage.ts";

export type OpencodeStage = {
  lab: OpencodeLab;
  model: ScriptedModel;
  program: Program;
  /** The Ask with this text, once it is so. */
  ask(text: string, ready?: (ask: AskView) => boolean): Promise<AskView>;
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  parley(...args: string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real opencode in a terminal, set up with `parley setup opencode`, and a Parley of its own. */
export async function openOpencodeStage(
  version: string,
  script: Record<string, Say[]>,
  config = "",
): Promise<OpencodeStage> {
  const model = createScriptedModel({ script });
  const program = createProgram();
  const settings = join(program.root, "config.toml");
  writeFileSync(settings, config);
  await program.start({ PARLEY_CONFIG: settings });
  const lab = await createOpencodeLab({
    program: opencodeProgram(version),
    version,
    model,
    env: { PARLEY_HOME: program.home, PARLEY_PORT: "0" },
    async prepare({ home, project }) {
      const done = await program.parley(["setup", "opencode", "--yes"], {
        env: { HOME: home, XDG_CONFIG_HOME: opencodeEnvironment(home)["XDG_CONFIG_HOME"] ?? "" },
        cwd: project,
      });
      if (done.code !== 0) throw new Error(done.err);
    },
  });
  const client = program.client("human");
  const find = async (match: (ask: AskView) => boolean) =>
    (await client.call("listAsks", { query: { state: "all", limit: 500 } })).asks.find(match);
  const until = (match: (ask: AskView) => boolean) =>
    poll(() => find(match), {
      failure: async () => {
        const log = await Bun.file(program.paths.log).text();
        return `${JSON.stringify(await find(() => true), null, 1)}\n${await lab.tmux.screen()}\n${log}`;
      },
    });
  return {
    lab,
    model,
    program,
    find: until,
    ask: (text, ready = () => true) => until((ask) => ask.questions[0]?.text === text && ready(ask)),
    parley: (...args) => program.parley(args),
    async [Symbol.asyncDispose]() {
      await lab.close();
      await program.dispose();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** The same, opened when a test first needs it and used by all that follow. */
export function sharedStage(version: string, script: Record<string, Say[]>) {
  let opened: Promise<OpencodeStage> | undefined;
  return {
    open: () => (opened ??= openOpencodeStage(version, script)),
    close: async () => (await opened)?.[Symbol.asyncDispose](),
  };
}
