import { safeLine } from "../../core/text/text.ts";
import { approvalStep } from "./drive-approval.ts";
import { leaveStep } from "./drive-leave.ts";
import { messageStep } from "./drive-message.ts";
import { questionStep } from "./drive-question.ts";
import { reviewStep } from "./drive-review.ts";
import type { Screen } from "../screen.ts";
import type { Job, Progress, Step } from "./step.ts";

/** Contract: pure. The one key that comes next on this screen, or why none may be pressed. */
export function nextStep(screen: Screen, progress: Progress, job: Job): Step {
  const place = placeOf(progress, job);
  if (screen.type === "unknown") return { type: "stop", place, why: screen.why };
  if (progress.at === "message") return messageStep(screen, progress, job, place);
  if (job.intent.type === "verdict") return approvalStep(screen, job, job.intent, place);
  if (job.intent.type === "leave") return leaveStep(screen, job, place);
  if (progress.at >= job.questions.length) return reviewStep(screen, job, place);
  return questionStep(screen, { ...progress, at: progress.at }, job, place);
}

export function placeOf({ at }: Progress, { questions }: Job): string {
  if (at === "message") return "The input box";
  const question = questions[at];
  if (!question) return "The review page";
  const name = questions.length === 1 ? "The question" : `Question ${at + 1} of ${questions.length}`;
  return `${name} (${safeLine(question.header || question.text, { max: 40 })})`;
}
