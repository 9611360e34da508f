import { isUp } from "../client/wire.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import { createDaemonRef, type DaemonRefOptions } from "./daemon-ref.ts";
import { createDialogRef, showInTerminal } from "./dialog-ref.ts";
import { ASK_USER_QUESTION_TOOL_NAME } from "./schema.ts";
import { type AskUserQuestionRef, type AskUserQuestionTool, createAskUserQuestionTool } from "./tool.ts";

/** A tool that is not offered is missing for the whole session: a daemon that is slow for once is waited for. */
export const PATIENCE_MS = 5000;

export type RegisterOptions = DaemonRefOptions & {
  /** The tools the agent has already; `source` says where one comes from. */
  tools?: readonly { name: string; source?: string }[];
};

/**
 * The tool for this agent, here and now: through Parley's daemon when it runs, in a dialog on this terminal when there is
 * one, both when both. Undefined: there is nobody to ask, so the model must not be offered it.
 */
export async function findAskUserQuestionTool(options: RegisterOptions): Promise<AskUserQuestionTool | undefined> {
  refuseTaken(options.tools ?? []);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const show = options.show ?? (isTerminal ? showInTerminal : undefined);
  const told = options.told ?? ((sentence: string) => void process.stderr.write(`${sentence}\n`));
  const ref = await findRef({ ...options, show, told });
  return ref && createAskUserQuestionTool(ref);
}

export async function findRef(options: DaemonRefOptions): Promise<AskUserQuestionRef | undefined> {
  if (await isUp(pathsIn(homeDir(options.env ?? process.env)), PATIENCE_MS)) return createDaemonRef(options);
  return options.show && createDialogRef(options.show);
}

/** Contract: throws when a tool of this name is there; a model could not tell the two apart. */
export function refuseTaken(tools: readonly { name: string; source?: string }[]): void {
  const taken = tools.find(({ name }) => name === ASK_USER_QUESTION_TOOL_NAME);
  if (!taken) return;
  const theirs = taken.source ?? "another extension";
  throw new Error(
    `Two tools are called ${ASK_USER_QUESTION_TOOL_NAME}: one of ${theirs}, one of Parley. Remove one of them.`,
  );
}
