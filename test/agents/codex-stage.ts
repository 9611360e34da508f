import { join } from "node:path";
import { createCodexLab, type CodexLab } from "../../src/agents/codex/lab/codex-lab.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { eachOf } from "./each-version.ts";

export const CODEX_VERSIONS = ["0.166.0"] as const;

/** The program itself: what npm puts on the PATH only starts it. */
export const codexProgram = (version: string): string =>
  join(import.meta.dir, `versions-codex/node_modules/codex-${version}/vendor/x86_64-unknown-linux-musl/bin/codex`);

export const eachCodex = eachOf({ title: "codex", versions: CODEX_VERSIONS, programOf: codexProgram });

export type CodexStage = {
  lab: CodexLab;
  model: ScriptedModel;
  program: Program;
  /** The Ask that this matches, once there is one. */
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  parley(...args: string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real codex in a terminal, set up with `parley setup codex`, and a Parley of its own. */
export async function openCodexStage(version: string, script: Record<string, Say[]>): Promise<CodexStage> {
  const model = createScriptedModel({ script });
  const program = createProgram();
  await program.start();
  const lab = await createCodexLab({
    program: codexProgram(version),
    model,
    async prepare({ home, project, codex }) {
      const env = { HOME: home, CODEX_HOME: codex };
      const done = await program.parley(["setup", "codex", "--yes"], { env, cwd: project });
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
