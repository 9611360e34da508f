import { deciderName, tallyOf, type Agreement } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import { describeAnswers } from "../core/words/outcome/describe-answer.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { LadderStep, Proposal } from "../core/ask/proposal.ts";
import type { Looking } from "./look.ts";
import { proposalOf } from "./proposal.ts";

type Tried = {
  ask: string;
  createdAt: number;
  project?: string;
  question: string;
  next: "settle" | "brain" | "human";
  decider?: string;
  why: string;
  steps: LadderStep[];
  proposal?: Proposal;
  proposed?: string;
  answered?: string;
  by?: string;
  agreement?: Agreement;
};

/** What the ladder would say about an Ask, and whether that is what was done. Changes nothing and asks nobody. */
export async function tryAsk(ask: Ask, look: Looking): Promise<Tried> {
  const { steps, verdict, suggestion } = (await look.runLadder(ask)).climbed;
  const settled = verdict.next === "settle" ? verdict : verdict.next === "human" ? suggestion : undefined;
  const why = steps.findLast(({ result }) => result === "decided")?.why ?? "";
  const proposal = settled && proposalOf(ask, settled.settlement, settled.by, { reason: why });
  const decider = verdict.next === "brain" ? `brain ${verdict.brain}` : proposal && deciderName(proposal.by);
  const tally = proposal && tallyOf({ ...ask, autopilot: { state: "suggested", at: 0, why, proposal } });
  return {
    ask: ask.id,
    createdAt: ask.createdAt,
    ...(ask.origin.project !== undefined && { project: ask.origin.project }),
    question: ask.questions[0]?.text ?? "",
    next: verdict.next,
    ...(decider !== undefined && { decider }),
    why: verdict.next === "human" ? (suggestion?.why ?? verdict.reason) : why,
    steps,
    ...(proposal && { proposal, proposed: inWords(ask, proposal) }),
    ...(ask.outcome && { answered: inWords(ask, ask.outcome), by: byWhom(ask.outcome.actor) }),
    ...(tally && { agreement: tally.result }),
  };
}

const byWhom = (actor: Actor) => (actor.type === "person" ? "you" : deciderName(actor));

type Said = { type?: unknown; action?: string; answers?: Proposal["answers"]; message?: string | undefined };

function inWords({ questions }: Ask, { type, action, answers, message }: Said): string {
  if (answers) return describeAnswers(questions, answers);
  return [String(type ?? action), message].filter((part) => part !== undefined).join(": ");
}
