import { afterEach, beforeEach, expect, test } from "bun:test";
import { by, mismatchAfter } from "../e2e/mismatch-stage.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { onScreen } from "./inbox-stage.ts";

/** However the terminal breaks it. */
const ADVICE = new RegExp(
  'Your answer was not submitted correctly. On the next AskUserQuestion, use "Chat about this" or "Type something" to correct this with Claude Code before answering the new question.'
    .split(" ")
    .map((word) => RegExp.escape(word))
    .join("\\s+"),
);

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

test("[DC36] the inbox says what was answered in it and arrived otherwise, at once or when it is opened next, once", async () => {
  const toldTo = async (id: string) => (await program.client().call("getAsk", { id })).told?.to;
  const before = await mismatchAfter(program, by(program, "inbox"));
  const inbox = onScreen(program, { columns: 90 });
  try {
    await inbox.shows(ADVICE);
    expect(await toldTo(before.id)).toBe("inbox");
    // On the other side stands all of it.
    inbox.press("\t");
    await inbox.shows("## AskUserQuestion Verification — MISMATCH");
    const now = await mismatchAfter(program, by(program, "inbox"));
    expect(await holds(async () => (await toldTo(now.id)) === "inbox")).toBe(true);
    const others = await mismatchAfter(program, by(program, "web"));
    expect(await toldTo(others.id)).toBeUndefined();
  } finally {
    inbox.press("q");
    await inbox.child.exited;
  }
});
