import { deciderName, isSame } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Opinion, Proposal } from "../core/ask/proposal.ts";
import { marksOf, type TrustKey, type TrustMark } from "../core/autopilot/trust/marks.ts";
import { type Share, wilson } from "../core/wilson.ts";
import { describeAnswers, isUnread } from "../core/words/outcome/describe-answer.ts";
import type { Look } from "./look.ts";
import { proposalOf } from "./proposal.ts";
import { createTrust, permitted } from "./trust.ts";

type Differed = { ask: string; question: string; decider: string; proposed: string; answered: string };
export type Replayed = {
  questions: number;
  since?: number;
  until?: number;
  answered: Share;
  agreed: Share;
  staked: number;
  suggested: number;
  asked: number;
  held: number;
  deciders: { decider: string; answered: number; agreed: number }[];
  differed: Differed[];
};
/** `noticesWrong`: a wrong answer is corrected, as in a digest; else only what is asked anyway tells. */
type How = { climb: (ask: Ask) => Promise<Look>; noticesWrong?: boolean };

const MOST_DIFFERED = 50;

/**
 * What a person answered, in the order of time, as if the autopilot had been on from the beginning with the settings of
 * now: it watches, earns, answers and loses as it would. Contract: it changes nothing and asks nobody.
 */
export async function replay(asks: AsyncIterable<Ask> | Iterable<Ask>, { climb, noticesWrong = true }: How) {
  const ledger = createLedger();
  let now = 0;
  const trust = createTrust({ marks: async (key, limit) => ledger.of(key, limit), now: () => now });
  const counts = { questions: 0, suggested: 0, asked: 0, held: 0, staked: 0 };
  const sent: { decider: string; agreed: boolean }[] = [];
  const differed: Differed[] = [];
  let since: number | undefined;

  async function play(original: Ask, outcome: Outcome): Promise<void> {
    const ask = asItWas(original);
    now = ask.createdAt;
    since ??= now;
    counts.questions += 1;
    const found = await climb(ask);
    const { verdict } = found.climbed;
    const isNever = verdict.next === "human" && verdict.never === true;
    if (isNever) counts.held += 1;
    const candidates = await trust.candidates(ask, found);
    const opinions = candidates.map(({ opinion }) => opinion);
    const { acting, shown } = permitted(candidates, { mode: "on", isNever });
    const said = saidByRule(ask, found);
    if (acting?.opinion.turn) counts.asked += 1;
    const proposal = acting && !acting.opinion.turn ? acting.proposal : acting ? undefined : said;
    if (!proposal) {
      const isShown = !acting && shown !== undefined;
      if (isShown) counts.suggested += 1;
      const seen = isShown ? opinions.map((opinion) => ({ ...opinion, shown: true })) : opinions;
      return ledger.take(withOpinions({ ...ask, outcome }, seen));
    }
    if (found.subject.stakes.length > 0) counts.staked += 1;
    const agreed = isSame(outcome, proposal);
    sent.push({ decider: deciderName(proposal.by), agreed });
    const answered = { ...outcome, actor: proposal.by };
    const review = { verdict: "corrected" as const, at: outcome.at, actor: outcome.actor };
    const reviews = agreed || !noticesWrong ? [] : [review];
    ledger.take({ ...withOpinions({ ...ask, outcome: answered }, opinions), reviews });
    if (!agreed && differed.length < MOST_DIFFERED) differed.push(differenceOf(ask, outcome, proposal));
  }

  for await (const ask of asks) {
    const { outcome } = ask;
    if (!outcome || outcome.actor.type !== "person" || outcome.answers?.some(isUnread)) continue;
    await play(ask, outcome);
  }
  const agreed = sent.filter((each) => each.agreed).length;
  const byDecider = Map.groupBy(sent, ({ decider }) => decider);
  const result: Replayed = {
    ...counts,
    ...(since !== undefined && { since, until: now }),
    answered: wilson(sent.length, counts.questions),
    agreed: wilson(agreed, sent.length),
    deciders: [...byDecider].map(([decider, all]) => ({
      decider,
      answered: all.length,
      agreed: all.filter((each) => each.agreed).length,
    })),
    differed,
  };
  return result;
}

/** Before anybody did anything about it. */
function asItWas({ outcome: _outcome, autopilot: _autopilot, reviews: _reviews, settledAt: _at, ...ask }: Ask): Ask {
  return { ...ask, state: "open" };
}

function withOpinions(ask: Ask, opinions: Opinion[]): Ask {
  return { ...ask, autopilot: { state: "human", at: ask.createdAt, why: "", opinions } };
}

/** A rule that says itself which option it is has nothing to earn. */
function saidByRule(ask: Ask, { climbed: { verdict } }: Look): Proposal | undefined {
  if (verdict.next !== "settle" || verdict.earns !== undefined) return undefined;
  return proposalOf(ask, verdict.settlement, verdict.by, { reason: "" });
}

function differenceOf({ id, questions }: Ask, outcome: Outcome, { by, answers, action, message }: Proposal): Differed {
  const words = (given: Outcome["answers"], otherwise: string) =>
    given ? describeAnswers(questions, given) : otherwise;
  return {
    ask: id,
    question: questions[0]?.text ?? "",
    decider: deciderName(by),
    proposed: words(answers, message ?? action),
    answered: words(outcome.answers, outcome.type),
  };
}

/** As the store would keep it. */
function createLedger() {
  const rows = new Map<string, TrustMark[]>();
  const name = ({ project, decider, question }: TrustKey) => JSON.stringify([project, decider, question]);
  return {
    take(ask: Ask): void {
      for (const mark of marksOf(ask)) rows.set(name(mark), [mark, ...(rows.get(name(mark)) ?? [])]);
    },
    of: (key: TrustKey, limit: number): TrustMark[] => (rows.get(name(key)) ?? []).slice(0, limit),
  };
}
