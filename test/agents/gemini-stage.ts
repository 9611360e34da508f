import { join } from "node:path";
import { createGeminiLab, waitForApproval, waitForQuestion } from "../../src/agents/gemini/lab/gemini-lab.ts";
import type { KinLab } from "../../src/agents/gemini-kin/kin-lab.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program, type Ran } from "../e2e/program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { eachOf } from "./each-version.ts";

const installed = join(import.meta.dir, "versions-gemini/node_modules");
export const geminiProgram = (version: string): string => join(installed, `gemini-${version}/bundle/gemini.js`);
export const eachGemini = eachOf({ title: "Gemini CLI", versions: ["0.61.0"], programOf: geminiProgram });

export type KinStage = {
  lab: KinLab;
  model: ScriptedModel;
  program: Program;
  waitForQuestion(text: string): Promise<string>;
  waitForApproval(): Promise<string>;
  /** The Ask that this matches, once there is one. */
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  parley(...args: string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
};
type Opened = { lab: KinLab; waitForQuestion: typeof waitForQuestion; waitForApproval: typeof waitForApproval };
type Given = {
  model: ScriptedModel;
  env: Record<string, string>;
  prepare(at: { home: string; project: string }): Promise<void>;
};

/** The real agent in a terminal, set up with `parley setup`, and a Parley of its own. */
export async function openKinStage(
  name: string,
  script: Record<string, Say[]>,
  open: (given: Given) => Promise<Opened>,
  flags: readonly string[] = [],
): Promise<KinStage> {
  const model = createScriptedModel({ script });
  const program = createProgram();
  await program.start();
  const { lab, ...look } = await open({
    model,
    env: { PARLEY_HOME: program.home, PARLEY_PORT: "0", PARLEY_CONFIG: "/dev/null" },
    async prepare({ home, project }) {
      const done = await program.parley(["setup", name, "--yes", ...flags], { env: { HOME: home }, cwd: project });
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
    waitForQuestion: (text) => look.waitForQuestion(lab.tmux, text),
    waitForApproval: () => look.waitForApproval(lab.tmux),
    find: (match) =>
      poll(() => find(match), {
        failure: async () => {
          const log = await Bun.file(program.paths.log).text();
          return `${JSON.stringify(await find(() => true), null, 1)}\n${await lab.tmux.screen()}\n${log.slice(-3000)}`;
        },
      }),
    parley: (...args) => program.parley(args, { env: UNTIL_RECEIVED }),
    async [Symbol.asyncDispose]() {
      await lab.close();
      await program.dispose();
      await model[Symbol.asyncDispose]();
    },
  };
}

export const openGeminiStage = (version: string, script: Record<string, Say[]>, flags: readonly string[] = []) =>
  openKinStage(
    "gemini",
    script,
    async (given) => ({
      lab: await createGeminiLab({ program: geminiProgram(version), ...given }),
      waitForQuestion,
      waitForApproval,
    }),
    flags,
  );

/** What its tests do with an agent that is opened once and goes on after each. */
export function kinCases(open: () => Promise<KinStage>) {
  const isAbout = (text: string) => (ask: AskView) =>
    [ask.questions[0]?.text, ask.questions[0]?.title].some((each) => each?.includes(text));
  const openAsk = (stage: KinStage, text: string) => stage.find((ask) => isAbout(text)(ask) && ask.state === "open");
  return {
    async asking(name: string, text: string) {
      const stage = await open();
      await stage.lab.prompt(`SCENARIO:${name} please`);
      await stage.waitForQuestion(text);
      return { stage, ask: await openAsk(stage, text) };
    },
    /** A call that waits for leave. */
    async waiting(name: string, text = `${name}.txt`) {
      const stage = await open();
      await stage.lab.prompt(`SCENARIO:${name} please`);
      await stage.waitForApproval();
      return { stage, ask: await openAsk(stage, text) };
    },
    openAsk,
    becomes: (stage: KinStage, { id }: AskView, state: string) =>
      stage.find((ask) => ask.id === id && ask.state === state),
  };
}
