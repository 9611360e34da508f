import { join } from "node:path";
import { createGeminiLab, waitForApproval, waitForQuestion } from "../../src/agents/gemini/lab/gemini-lab.ts";
import type { KinLab } from "../../src/agents/gemini-kin/kin-lab.ts";
import type { Say, ScriptedModel } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { eachOf } from "./each-version.ts";
import { type LabStage, openLabStage } from "./lab-stage.ts";

const installed = join(import.meta.dir, "versions-gemini/node_modules");
export const geminiProgram = (version: string): string => join(installed, `gemini-${version}/bundle/gemini.js`);
export const eachGemini = eachOf({ title: "Gemini CLI", versions: ["0.61.0"], programOf: geminiProgram });

export type KinStage = LabStage<KinLab> & {
  waitForQuestion(text: string): Promise<string>;
  waitForApproval(): Promise<string>;
};
type Look = { waitForQuestion: typeof waitForQuestion; waitForApproval: typeof waitForApproval };
type Given = {
  model: ScriptedModel;
  env: Record<string, string>;
  prepare(at: { home: string; project: string }): Promise<void>;
};

/** The real agent in a terminal, set up with `parley setup`, and a Parley of its own. */
export async function openKinStage(
  name: string,
  script: Record<string, Say[]>,
  open: (given: Given) => Promise<KinLab>,
  look: Look,
  flags: readonly string[] = [],
): Promise<KinStage> {
  const stage = await openLabStage(
    script,
    ({ model, program, setUp }) =>
      open({
        model,
        env: { PARLEY_HOME: program.home, PARLEY_PORT: "0", PARLEY_CONFIG: "/dev/null" },
        prepare: ({ home, project }) => setUp([name, ...flags], { env: { HOME: home }, cwd: project }),
      }),
    { env: UNTIL_RECEIVED },
  );
  return {
    ...stage,
    waitForQuestion: (text) => look.waitForQuestion(stage.lab.tmux, text),
    waitForApproval: () => look.waitForApproval(stage.lab.tmux),
  };
}

export const openGeminiStage = (version: string, script: Record<string, Say[]>, flags: readonly string[] = []) =>
  openKinStage(
    "gemini",
    script,
    (given) => createGeminiLab({ program: geminiProgram(version), ...given }),
    { waitForQuestion, waitForApproval },
    flags,
  );

/** Without a set-up: `prepare` makes it ask through Parley in another way. */
export const openUnsetGeminiStage = async (
  version: string,
  script: Record<string, Say[]>,
  prepare: (at: { home: string; project: string }) => Promise<void>,
): Promise<LabStage<KinLab>> =>
  openLabStage(
    script,
    ({ model, program }) =>
      createGeminiLab({
        program: geminiProgram(version),
        model,
        env: { PARLEY_HOME: program.home, PARLEY_PORT: "0", PARLEY_CONFIG: "/dev/null" },
        prepare,
      }),
    { env: UNTIL_RECEIVED },
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
