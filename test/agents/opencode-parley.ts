import { opencodeEnvironment } from "../../src/agents/opencode/lab/home.ts";
import { createOpencodeLab, type OpencodeLab } from "../../src/agents/opencode/lab/opencode-lab.ts";
import type { Say } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { type Given, type LabStage, openLabStage } from "./lab-stage.ts";
import { opencodeProgram } from "./opencode-stage.ts";

export type OpencodeStage = LabStage<OpencodeLab> & {
  /** The Ask with this text, once it is so. */
  ask(text: string, ready?: (ask: AskView) => boolean): Promise<AskView>;
};

/** The real opencode in a terminal, set up with `parley setup opencode`, and a Parley of its own. `plugins`: what its own list names, instead. */
export async function openOpencodeStage(
  version: string,
  script: Record<string, Say[]>,
  { plugins, config = "" }: { plugins?: readonly string[]; config?: string } = {},
): Promise<OpencodeStage> {
  const open = ({ model, program, setUp }: Given) =>
    createOpencodeLab({
      program: opencodeProgram(version),
      version,
      model,
      env: { PARLEY_HOME: program.home, PARLEY_PORT: "0" },
      ...(plugins && { plugins }),
      prepare: async ({ home, project }) => {
        if (plugins) return;
        await setUp(["opencode"], {
          env: { HOME: home, XDG_CONFIG_HOME: opencodeEnvironment(home)["XDG_CONFIG_HOME"] ?? "" },
          cwd: project,
        });
      },
    });
  const stage = await openLabStage(script, open, { config });
  return {
    ...stage,
    ask: (text, ready = () => true) => stage.find((ask) => ask.questions[0]?.text === text && ready(ask)),
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
