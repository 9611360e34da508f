import { answersInReview } from "./drive-review.ts";
import { mismatch } from "./match.ts";
import { cursorRow, type QuestionScreen, type Screen } from "./screen.ts";
import type { Job, Press, Progress } from "./step.ts";

/** Enter on the row that answers: the next question, the review page, or the end of the dialog. */
export function leaving(
  press: Omit<Press, "key" | "expect" | "leads">,
  { screen, here, job }: { screen: QuestionScreen; here: Progress & { at: number }; job: Job },
): Press {
  const { questions, intent } = job;
  const enter = { ...press, key: { name: "Enter" as const } };
  if (intent.type === "chat")
    return {
      ...enter,
      expect: (after) => after.type === "prompt",
      leads: { at: "message", fresh: true, ticked: 0, typed: 0 },
    };
  const next = { at: here.at + 1, fresh: true, ticked: 0, typed: 0 };
  const question = questions[next.at];
  if (question)
    return {
      ...enter,
      expect: (after) => after.type === "question" && mismatch(after, question) === undefined,
      leads: next,
    };
  const isForm = questions.length > 1 || screen.multiSelect;
  if (isForm) return { ...enter, expect: (after) => answersInReview(after, job), leads: next };
  return { ...enter, expect: (after) => isGone(after, screen), leads: "done" };
}

/** The dialog is closed: none is there, or another one. */
export function isGone(after: Screen, before: Screen): boolean {
  if (after.type === "prompt") return true;
  if (after.type === "unknown") return !after.remains;
  if (after.type !== "question" || before.type !== "question") return false;
  if (after.text !== before.text) return true;
  // The same question asked again stands below what came of the first one, with its cursor on the first row.
  const [first] = after.rows;
  return after.settled > before.settled && first?.number === 1 && first === cursorRow(after.rows);
}
