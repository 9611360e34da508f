import { isUnread } from "../../words/outcome/describe-answer.ts";
import type { Ask } from "../ask.ts";
import type { Answer } from "./answer.ts";
import type { Actor, Outcome } from "../outcome.ts";
import type { Proposal } from "../proposal.ts";

/**
 * open: nobody has decided yet · sent: the autopilot answered · agreed / differed: what a person did instead ·
 * ended: the question went away.
 */
export const AGREEMENTS = ["open", "sent", "agreed", "differed", "ended"] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** What is counted of the autopilot's part in an Ask. `spent`: it counts against the budget. */
export type Tally = { decider: string; result: Agreement; spent: boolean };

/** Undefined: it neither proposed anything nor asked anybody. */
export function tallyOf(ask: Ask): Tally | undefined {
  const { state, proposal, brain } = ask.autopilot ?? {};
  if (proposal) {
    const result = agreementOf(ask, proposal);
    const spent = brain !== undefined || state === "held" || result === "sent";
    return { decider: deciderName(proposal.by), result, spent };
  }
  if (brain === undefined) return undefined;
  return { decider: `brain ${brain}`, result: ask.outcome ? "ended" : "open", spent: true };
}

export const isAutopilot = ({ type, surface }: Actor): boolean =>
  surface === "autopilot" && (type === "rule" || type === "brain");

/** `rule tests`, `brain claude`. */
export const deciderName = ({ type, name }: Actor): string => (name === undefined ? type : `${type} ${name}`);

function agreementOf({ outcome }: Ask, proposal: Proposal): Agreement {
  if (!outcome) return "open";
  if (isAutopilot(outcome.actor)) return "sent";
  if (outcome.actor.type !== "person" || outcome.answers?.some(isUnread)) return "ended";
  return isSame(outcome, proposal) ? "agreed" : "differed";
}

/** Notes do not count: they say why, not what. */
export function isSame(outcome: Outcome, { action, answers = [] }: Pick<Proposal, "action" | "answers">): boolean {
  if (!outcome.answers) return ENDS[outcome.type] === action;
  if (action !== "answer" || answers.length !== outcome.answers.length) return false;
  return outcome.answers.every((answer, i) => chosen(answer) === chosen(answers[i] ?? { picks: [] }));
}

const ENDS: Partial<Record<Outcome["type"], Proposal["action"]>> = {
  declined: "decline",
  chat: "chat",
  cancelled: "cancel",
};

function chosen({ picks, text = "" }: Answer): string {
  return JSON.stringify([picks.toSorted((a, b) => a - b), text.trim().toLowerCase().replaceAll(/\s+/g, " ")]);
}
