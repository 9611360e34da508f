import { mannerOf } from "../../agents/capability/screen-layout.ts";
import { isGone } from "../gone.ts";
import { answersInReview } from "./drive-review.ts";
import { mismatch } from "../match.ts";
import type { QuestionScreen } from "../screen.ts";
import type { Job, Press, Progress } from "./step.ts";

/** Enter on the row that answers: the next question, the review page, or the end of the dialog. */
export function leaving(
  press: Omit<Press, "key" | "expect" | "leads">,
  { screen, here, job }: { screen: QuestionScreen; here: Progress & { at: number }; job: Job },
): Press {
  const { questions, intent } = job;
  const manner = mannerOf(job.layout);
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
      expect: (after) => after.type === "question" && mismatch(after, question, { manner }) === undefined,
      leads: next,
    };
  const isForm = !("leave" in job.layout) && (questions.length > 1 || (screen.multiSelect && !manner));
  if (isForm) return { ...enter, expect: (after) => answersInReview(after, job), leads: next };
  return { ...enter, expect: (after) => isGone(after, screen), leads: "done" };
}
