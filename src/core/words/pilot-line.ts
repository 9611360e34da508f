import { deciderName } from "../ask/answer/agreement.ts";
import type { Answer } from "../ask/answer/answer.ts";
import type { Ask } from "../ask/ask.ts";
import { describeAnswers } from "./outcome/describe-answer.ts";
import { duration } from "./time.ts";
import type { Proposal } from "../ask/proposal.ts";
import { safeLine } from "../text/text.ts";

// Free of the schema library: lists are waited for.

type Asked = Pick<Ask, "questions">;

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

/** What is proposed and can be accepted, or is on its way. */
export function proposalFor({ autopilot, outcome }: Ask): Proposal | undefined {
  const { state, proposal } = autopilot ?? {};
  return !outcome && (state === "held" || state === "suggested") ? proposal : undefined;
}

/** What a form shows as chosen when it opens. */
export function prefillFor(ask: Ask): Answer[] | undefined {
  return ask.prefill ?? proposalFor(ask)?.answers;
}

/** Stands before what is filled in and not sent. */
export const FILLED_IN = "•";

/** That a form opens with what its asker filled in; undefined: nothing is. What the autopilot proposes `pilotLine` says. */
export function prefillLine(ask: Ask, agent: string): string | undefined {
  if (ask.outcome || !ask.prefill) return undefined;
  return `${FILLED_IN} filled in by ${safeLine(agent, { max: 40 })}, and not sent yet`;
}

/** What is about to happen by itself, or could with one key; undefined: nothing. */
export function pilotLine(ask: Ask, now: number): string | undefined {
  const { state, due = 0, brain } = ask.autopilot ?? {};
  const proposal = proposalFor(ask);
  if (!ask.outcome && state === "asking")
    return `Autopilot: ${safeLine(brain ?? "a brain", { max: 40 })} is thinking about it`;
  if (!proposal) return undefined;
  const when = state === "held" ? `answers in ${duration(Math.max(0, due - now))}` : "proposes";
  return `Autopilot ${when}: ${proposalWords(proposal, ask)}`;
}

/** The same in a few words for a list. */
export function pilotTag(ask: Ask, now: number): string {
  return `${filledTag(ask)}${proposedTag(ask, now)}`;
}

function filledTag({ outcome, prefill, questions }: Ask): string {
  if (outcome || !prefill) return "";
  return `[filled in: "${safeLine(describeAnswers(questions, prefill), { max: 40 })}"] `;
}

function proposedTag(ask: Ask, now: number): string {
  const { state, due = 0 } = ask.autopilot ?? {};
  const proposal = proposalFor(ask);
  if (!ask.outcome && state === "asking") return "[autopilot thinks] ";
  if (!proposal) return "";
  const said = safeLine(whatIs(proposal, ask.questions), { max: 40 });
  return state === "held" ? `[in ${duration(Math.max(0, due - now))}: ${said}] ` : `[proposed: ${said}] `;
}

function whatIs(
  { action, answers, message }: Pick<Proposal, "action" | "answers" | "message">,
  questions: Ask["questions"],
): string {
  return answers ? `"${describeAnswers(questions, answers)}"` : [action, message].filter(Boolean).join(": ");
}
