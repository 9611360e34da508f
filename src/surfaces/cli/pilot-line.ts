import { deciderName } from "../../core/agreement.ts";
import { describeAnswers } from "../../core/describe-answer.ts";
import { duration } from "../../core/duration.ts";
import type { Proposal } from "../../core/proposal.ts";
import { safeLine } from "../../core/text.ts";
import type { AskView } from "../../protocol/view.ts";

// Free of the schema library: lists are waited for.

type Asked = Pick<AskView, "questions">;

/** `"Yes" (brain claude, 80 % sure): why`. */
export function proposalWords(
  { by, action, answers, message, confidence, reason, warning }: Proposal,
  { questions }: Asked,
): string {
  const said = whatIs({ action, answers, message }, questions);
  const sure = confidence === undefined ? "" : `, ${Math.round(confidence * 100)} % sure`;
  const why = [reason, warning].filter(Boolean).join("; ");
  return safeLine(`${said} (${deciderName(by)}${sure})${why === "" ? "" : `: ${why}`}`, { max: 500 });
}

/** What is about to happen by itself, or could with one key; undefined: nothing. */
export function pilotLine({ autopilot, outcome, questions }: AskView, now: number): string | undefined {
  const { state, proposal, due = 0, brain } = autopilot ?? {};
  if (outcome || state === undefined) return undefined;
  if (state === "asking") return `Autopilot: ${safeLine(brain ?? "a brain", { max: 40 })} is thinking about it`;
  if (!proposal || (state !== "held" && state !== "suggested")) return undefined;
  const when = state === "held" ? `answers in ${duration(Math.max(0, due - now))}` : "proposes";
  return `Autopilot ${when}: ${proposalWords(proposal, { questions })}`;
}

/** The same in a few words for a list. */
export function pilotTag({ autopilot, outcome, questions }: AskView, now: number): string {
  const { state, proposal, due = 0 } = autopilot ?? {};
  if (outcome || state === undefined) return "";
  if (state === "asking") return "[autopilot thinks] ";
  if (!proposal || (state !== "held" && state !== "suggested")) return "";
  const said = safeLine(whatIs(proposal, questions), { max: 40 });
  return state === "held" ? `[in ${duration(Math.max(0, due - now))}: ${said}] ` : `[proposed: ${said}] `;
}

function whatIs(
  { action, answers, message }: Pick<Proposal, "action" | "answers" | "message">,
  questions: AskView["questions"],
): string {
  return answers ? `"${describeAnswers(questions, answers)}"` : [action, message].filter(Boolean).join(": ");
}
