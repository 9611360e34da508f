import { deciderName } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { LadderStep, Opinion, Proposal } from "../core/ask/proposal.ts";
import { better, type Mark, type Standing, standingFrom, type Terms } from "../core/autopilot/trust/standing.ts";
import type { TrustKey } from "../core/autopilot/trust/marks.ts";
import {
  ANY_QUESTION,
  deciderKey,
  deciderTitle,
  isAtLeast,
  isEarned,
  PRECEDENT,
  type Stage,
} from "../core/autopilot/trust/stage.ts";
import { templateOf } from "../core/autopilot/trust/template.ts";
import type { AutopilotConfig } from "../core/config/autopilot.ts";
import { withoutCancel } from "../core/task/task-cancel.ts";
import { STAGE_WORDS, standingWords } from "../core/words/trust-words.ts";
import type { Look } from "./look.ts";
import { proposalOf } from "./proposal.ts";

/** More than that is not needed to know how far somebody is trusted. */
export const MOST_MARKS = 200;
/** Where the ledger is read; a replay keeps one of its own. */
export type Marks = (key: TrustKey, limit: number) => Promise<readonly Mark[]>;
type TrustConfig = AutopilotConfig["trust"];

/** A decider that has to earn its trust, with what it would answer and how far it is trusted with it. */
export type Candidate = { opinion: Opinion; standing: Standing; proposal?: Proposal };
export type Trust = ReturnType<typeof createTrust>;

export function createTrust({ marks, now }: { marks: Marks; now: () => number }) {
  async function standing(key: TrustKey, terms: Terms, except?: string): Promise<Standing> {
    const newest = await marks(key, MOST_MARKS);
    const earlier = newest.filter(({ ask }) => ask !== except).toReversed();
    return standingFrom(earlier, terms, now());
  }

  async function candidate(ask: Ask, values: TrustConfig, given: Given): Promise<Candidate> {
    const { decider, base, proposal, isHeld } = given;
    const { key, title } = templateOf(withoutCancel(ask));
    // What a person answers where nobody else may says nothing about where others may.
    const question = isHeld ? `held ${key}` : key;
    const { project = "" } = ask.origin;
    const at = (asked: string, needed: number) =>
      project === ""
        ? standingFrom([], termsOf(values, needed, base), now())
        : standing({ project, decider, question: asked }, termsOf(values, needed, base), ask.id);
    const here = await at(question, values.per_question);
    const found = decider === PRECEDENT ? here : better(here, await at(ANY_QUESTION, values.per_rule));
    const answers = proposal?.answers;
    const known = ask.autopilot?.opinions?.find((each) => each.decider === decider && each.question === question);
    const isTurn = isEarned(found.stage) && (found.isTurn || known?.turn === true);
    const opinion: Opinion = {
      decider,
      question,
      title,
      ...(answers && { answers }),
      stage: found.stage,
      why: standingWords(found),
      ...(isTurn && { turn: true }),
    };
    return { opinion, standing: found, ...(proposal && { proposal }) };
  }

  return {
    standing,
    /** The rule and the precedents that have something to say, or would like to learn what the person says. */
    async candidates(ask: Ask, { climbed, setting }: Look): Promise<Candidate[]> {
      const { steps, verdict, suggestion } = climbed;
      const values = setting.values.trust;
      const found: Candidate[] = [];
      if (verdict.next === "settle" && verdict.earns !== undefined) {
        const { settlement, by, warning } = verdict;
        const reason = steps.findLast(({ result }) => result === "decided")?.why ?? "";
        const proposal = proposalOf(ask, settlement, by, { reason, ...(warning !== undefined && { warning }) });
        const decider = deciderKey(deciderName(by), verdict.earns);
        if (proposal) found.push(await candidate(ask, values, { decider, base: "suggesting", proposal }));
      }
      if (steps.some(({ step }) => step === "precedent")) {
        const proposal =
          suggestion && proposalOf(ask, suggestion.settlement, suggestion.by, { reason: suggestion.why });
        const isHeld = verdict.next === "human" && verdict.never === true;
        found.push(await candidate(ask, values, { decider: PRECEDENT, base: "watching", proposal, isHeld }));
      }
      return found;
    },
    /** `settings`: those of the brain, which begins anew with others. */
    brain(ask: Ask, proposal: Proposal, settings: string, values: TrustConfig): Promise<Candidate> {
      const decider = deciderKey(deciderName(proposal.by), settings);
      return candidate(ask, values, { decider, base: "suggesting", proposal });
    },
  };
}

type Given = { decider: string; base: Terms["base"]; proposal: Proposal | undefined; isHeld?: boolean };

export const termsOf = ({ ask_every: every, days }: TrustConfig, needed: number, base: Terms["base"]): Terms => ({
  needed,
  base,
  every,
  days,
});

/** For whoever asks why: how far it is trusted, and by what. */
export function trustStep({ opinion: { decider, turn }, standing }: Candidate): LadderStep {
  const { stage } = standing;
  const why = `${STAGE_WORDS[stage]}: ${standingWords(standing)}`;
  const result = turn ? "held" : isEarned(stage) ? "decided" : isAtLeast(stage, "suggesting") ? "suggested" : "passed";
  return { step: "trust", name: deciderTitle(decider), result, why: turn ? `${why}; ${ASKED_ANYWAY}` : why };
}

export const ASKED_ANYWAY = "asked anyway, to see whether it still holds";

export const untilEarned = ({ standing }: Candidate): string =>
  `it suggests until it has earned more: ${standingWords(standing)}`;

/** What may be done with them: the first that earned it answers, the first that may be shown is shown. */
export function permitted(candidates: readonly Candidate[], { mode, isNever }: { mode: string; isNever: boolean }) {
  const able = candidates.filter((each) => each.proposal !== undefined);
  const acting = mode === "on" && !isNever ? able.find(({ standing }) => isEarned(standing.stage)) : undefined;
  const isShown = (stage: Stage) => mode === "suggest" || isAtLeast(stage, "suggesting");
  return { acting, shown: able.find(({ standing }) => isShown(standing.stage)) };
}
