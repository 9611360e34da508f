import { describe, expect, test } from "bun:test";
import type { OpenEnd } from "../dialog/open-dialog.ts";
import { createDialogRef, type ShowDialog } from "./dialog-ref.ts";
import type { AskUserQuestionError } from "./error.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { createAskUserQuestionTool } from "./tool.ts";

const options = [
  { label: "SQLite", description: "one file" },
  { label: "Postgres", description: "a server" },
];
const ARGS = {
  questions: [
    { question: "Which database?", header: "Database", multiSelect: false, options },
    { question: "And for tests?", header: "Tests", multiSelect: false, options },
  ],
  answers: { Tests: "Postgres" },
};
const DRAFT = {
  current: 1,
  entries: [
    { picks: [], other: true, text: "DuckDB ", note: "" },
    { picks: [], other: false, text: "half", note: "" },
  ],
};
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: AskUserQuestionError) => error,
  );

describe("a dialog here", () => {
  test("[TL12] a second call while it is open is rejected at once; after it, the next is asked", async () => {
    const dialogs = manyDialogs();
    const tool = createAskUserQuestionTool(createDialogRef(dialogs.show));
    const first = tool.execute("1", ARGS);
    const second = await failure(tool.execute("2", ARGS));
    expect([second.outcome, second.message]).toEqual(["invalid", "ask_user_question dialog already open"]);
    dialogs.end(0, { type: "submitted", answers: [{ picks: [0] }, { picks: [], text: "none" }] });
    expect((await first).details.answers).toEqual({ Database: "SQLite", Tests: "Other: none" });
    const third = tool.execute("3", ARGS);
    dialogs.end(1, { type: "submitted", answers: [{ picks: [1] }, { picks: [1] }] });
    expect((await third).details.answers).toEqual({ Database: "Postgres", Tests: "Postgres" });
  });

  test("[TL13] cancelled: the words, and what was chosen by then; the next call is asked", async () => {
    const dialogs = manyDialogs();
    const tool = createAskUserQuestionTool(createDialogRef(dialogs.show));
    const cancelled = failure(tool.execute("1", ARGS));
    expect(dialogs.asked[0]?.prefill).toEqual([{ picks: [] }, { picks: [1] }]);
    dialogs.end(0, { type: "cancelled", draft: DRAFT });
    const { outcome, message, answers, lossless } = await cancelled;
    expect([outcome, message]).toEqual(["cancelled", "AskUserQuestion cancelled by user"]);
    expect(answers).toEqual({ Database: "Other: DuckDB" });
    expect(lossless).toEqual([
      { header: "Database", question: "Which database?", picks: [], labels: [], text: "DuckDB" },
    ]);
    void tool.execute("2", ARGS);
    expect(dialogs.asked.length).toBe(2);
  });

  test("[TL14] aborted: the dialog closes, and what was chosen by then is told", async () => {
    const controller = new AbortController();
    const dialogs = manyDialogs();
    const tool = createAskUserQuestionTool(createDialogRef(dialogs.show));
    const running = failure(tool.execute("1", ARGS, controller.signal));
    controller.abort();
    const { outcome, message, answers } = await running;
    expect([outcome, message, answers]).toEqual(["aborted", "Operation aborted", { Database: "Other: DuckDB" }]);
  });

  test("[TL15] where several may wait they are shown one after the other; one that is over before is never shown", async () => {
    const dialogs = manyDialogs();
    const show = oneAtATime(dialogs.show);
    const over = new AbortController();
    const asked = { questions: [], signal: new AbortController().signal };
    const [first, second, third] = [show(asked), show({ ...asked, signal: over.signal }), show(asked)];
    await Bun.sleep(0);
    expect(dialogs.asked.length).toBe(1);
    over.abort();
    expect((await second).type).toBe("aborted");
    expect(dialogs.asked.length).toBe(1);
    dialogs.end(0, { type: "submitted", answers: [] });
    await first;
    await Bun.sleep(0);
    expect(dialogs.asked.length).toBe(2);
    dialogs.end(1, { type: "submitted", answers: [] });
    expect((await third).type).toBe("submitted");
  });
});

/** Dialogs that a test ends by hand; the signal closes them as it does the real one. */
function manyDialogs() {
  const asked: Parameters<ShowDialog>[0][] = [];
  const ends: ((end: OpenEnd) => void)[] = [];
  const show: ShowDialog = (questions) =>
    new Promise((resolve) => {
      asked.push(questions);
      ends.push(resolve);
      questions.signal.addEventListener("abort", () => resolve({ type: "aborted", draft: DRAFT }));
    });
  return { show, asked, end: (index: number, end: OpenEnd) => ends[index]?.(end) };
}
