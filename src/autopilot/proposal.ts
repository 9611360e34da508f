import { deciderName } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import { withNote } from "../core/autopilot/tell.ts";
import { checkAnswers } from "../core/ask/answer/check-answer.ts";
import { ParleyError } from "../core/error.ts";
import type { AskEvent } from "../core/ask/event.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { LadderStep, Opinion, Proposal } from "../core/ask/proposal.ts";
import type { Stage } from "../core/autopilot/trust/stage.ts";
import { refuseSettled, settle, type Settlement } from "../core/ask/settle.ts";

export type PilotEvent = AskEvent & { type: "ask.autopilot" };
/** `asked`: the brain, with its settings. `stage`: how far its decider is trusted, where it had to earn that. */
export type Proposing = { asked?: string; opinions?: Opinion[]; stage?: Stage };
type Said = { reason: string; confidence?: number; warning?: string; verdict?: Proposal["verdict"] };

/** Undefined: it does not answer these questions. */
export function proposalOf(
  { questions }: Ask,
  { action, answers, message }: Settlement,
  by: Actor,
  said: Said,
): Proposal | undefined {
  if (action !== "answer") return { action, ...(message !== undefined && { message }), by, ...said };
  const checked = checkAnswers(questions, answers);
  return checked.ok ? { action, answers: checked.answers, by, ...said } : undefined;
}

/** What goes to the agent; a warning stands with it as a note. */
export function settlementOf(ask: Ask, { action, answers, message, reason, warning }: Proposal): Settlement {
  const settlement = { action, ...(answers && { answers }), ...(message !== undefined && { message }), reason };
  return warning === undefined ? settlement : withNote(ask, settlement, warning);
}

export function noted(
  state: PilotEvent["state"],
  why: string,
  steps: readonly LadderStep[],
  more: Partial<Omit<PilotEvent, "type" | "state" | "why" | "steps">> = {},
): PilotEvent {
  return { type: "ask.autopilot", state, why, steps: [...steps], ...more };
}

/** Nothing is proposed any more. */
export const leftTo: typeof noted = (state, why, steps, more) => noted(state, why, steps, { ...more, withdrawn: true });

/** Whether the event would say what is known already: then it is not written down again. */
export function isNews(
  { autopilot: known }: Ask,
  { state, why, proposal, withdrawn, passing, opinions }: PilotEvent,
): boolean {
  if (!known || known.state !== state || (withdrawn && known.proposal !== undefined)) return true;
  if ((known.passing ?? false) !== (passing ?? false)) return true;
  if (proposal && !isSameProposal(proposal, known.proposal)) return true;
  if (opinions && opined(opinions) !== opined(known.opinions ?? [])) return true;
  return state !== "held" && known.why !== why;
}

export function isSameProposal(one: Proposal, other: Proposal | undefined): boolean {
  const said = ({ action, answers, message, by, warning }: Proposal) =>
    JSON.stringify([action, answers, message, by.type, by.name, warning]);
  return other !== undefined && said(one) === said(other);
}

const opined = (opinions: readonly Opinion[]) =>
  JSON.stringify(opinions.map(({ decider, question, answers, turn }) => [decider, question, answers, turn]));

/** A person takes a proposal as their own answer. */
export function accepted(ask: Ask, actor: Actor, at: number): AskEvent {
  refuseSettled(ask, at);
  const proposal = ask.autopilot?.proposal;
  if (!proposal) throw new ParleyError("not_answerable", "Nothing is proposed for this question");
  const reason = `accepted what ${deciderName(proposal.by)} proposed`;
  return settle(ask, { ...settlementOf(ask, proposal), reason }, actor, at);
}

/** A person wants to answer themselves. */
export function undone(ask: Ask, actor: Actor, at: number): AskEvent {
  refuseSettled(ask, at);
  const { state = "human" } = ask.autopilot ?? {};
  if (!["held", "asking", "suggested"].includes(state))
    throw new ParleyError("not_answerable", "There is nothing to undo: the autopilot is not about to answer this");
  const why = "a person took it back";
  return noted("undone", why, [{ step: "human", result: "held", why }], { actor });
}

/** Parley's own questions, and what only the agent's terminal can answer, are nothing for it. */
export function isAnswerable({ deliveries, origin }: Ask): boolean {
  return deliveries.some(({ channel }) => channel !== "none" && (channel !== "self" || origin.task !== undefined));
}

/** What the agent said before reaches its record a moment after the question. */
export function isContextComing({ origin, deliveries }: Ask): boolean {
  const isHooked = deliveries.some(({ channel }) => channel === "race" || channel === "hold");
  return isHooked && origin.session !== undefined && origin.lastText === undefined && origin.isContextRead !== true;
}
