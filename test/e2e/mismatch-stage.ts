import { expect } from "bun:test";
import type { AskView } from "../../src/protocol/view.ts";
import { createSession, ended, isHeld } from "./hook-stage.ts";
import type { Program } from "./program.ts";

export const PARAGRAPH = `Your answer was not submitted correctly. On the next AskUserQuestion, use "Chat about this" or "Type something" to correct this with Claude Code before answering the new question.`;
export const FIRST = JSON.stringify([{ action: "select", optionIndex: 0 }]);

/** Somebody answers "Option A", which the agent's hook takes; its record then says that it received "Option B". */
export async function mismatchAfter(program: Program, answer: (ask: AskView) => Promise<unknown>): Promise<AskView> {
  const session = createSession(program, "answered-by-hook");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const answered = answer(await session.ask(isHeld));
  // Where the answer fails, nobody ends the dialog: that failure is what is to be told.
  const out = ended(dialog).then((hook) => hook.out);
  expect(await Promise.race([out, answered.then(() => out)])).toContain('"Option A"');
  session.write();
  await session.tell("PostToolUse");
  await session.ask(({ state }) => state === "mismatched");
  await answered;
  return session.ask();
}

/** As a person on a surface does. */
export const by =
  (program: Program, surface: string, more: object = {}) =>
  ({ id }: AskView) =>
    program
      .client()
      .call("settleAsk", { id, body: { action: "answer", answers: [{ picks: [0] }], surface, ...more } as never });
