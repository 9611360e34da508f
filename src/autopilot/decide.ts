import type { Ask } from "../core/ask/ask.ts";
import type { LadderStep, Proposal } from "../core/ask/proposal.ts";
import type { Store } from "../store/store.ts";
import type { Alarm } from "./alarm.ts";
import { createAskBrain } from "./brain/ask-brain.ts";
import type { Budget } from "./brain/budget.ts";
import type { Consult } from "./brain/consult.ts";
import type { Look, Looking } from "./look.ts";
import {
  isContextComing,
  isNews,
  isSameProposal,
  leftTo,
  noted,
  type PilotEvent,
  proposalOf,
  type Proposing,
} from "./proposal.ts";
import { isQuiet, type Setting } from "./setting.ts";
import { ASKED_ANYWAY, type Candidate, permitted, type Trust, trustStep, untilEarned } from "./trust.ts";

type Deps = {
  store: Store;
  look: Looking;
  consult: Consult;
  budget: Budget;
  alarm: Alarm;
  trust: Trust;
  now: () => number;
  note(ask: Ask, event: PilotEvent): Promise<Ask>;
  /** One thing at a time for each Ask. */
  inTurn(ask: string, work: () => Promise<void>): Promise<void>;
  /** Looks at it again. */
  soon(ask: string): void;
};
/** What the agent said before is known so long after it asked, if at all. */
const CONTEXT_MS = 3500;

/** From a question to a proposal: up the ladder, and to a brain where it leads there. */
export function createDecide({ store, look, consult, budget, alarm, trust, now, note, inTurn, soon }: Deps) {
  const brains = createAskBrain({ store, look, consult, budget, trust, note, inTurn, say, propose });

  /** Contract: by the settings in force. What it would only say again it does not say, and nobody is asked the same twice. */
  async function judge(ask: Ask, setting: Setting): Promise<void> {
    const readyAt = ask.createdAt + CONTEXT_MS;
    if (isContextComing(ask) && alarm.isAhead(ask.id, readyAt, ask.createdAt)) return;
    const found = await look.runLadder(ask, setting);
    const { verdict } = found.climbed;
    const candidates = await trust.candidates(ask, found);
    const steps = [...found.climbed.steps, ...candidates.map(trustStep)];
    const isNever = verdict.next === "human" && verdict.never === true;
    const later = verdict.next === "human" && !isNever ? escalatedTo(ask, setting) : undefined;
    if (later !== undefined) return brains.askBrain(found, ask, { brain: later, escalated: true }, []);
    const { acting, shown } = permitted(candidates, { mode: setting.mode, isNever });
    const opinions = candidates.map(({ opinion }) => opinion);
    if (acting?.proposal) {
      consult.stop(ask.id);
      if (acting.opinion.turn) return say(ask, leftTo("human", ASKED_ANYWAY, steps, { opinions }));
      const decided = steps.filter(({ step }) => step !== "human");
      return propose(found.setting, ask, acting.proposal, decided, { opinions, stage: acting.standing.stage });
    }
    if (verdict.next === "brain") return brains.askBrain(found, ask, { brain: verdict.brain }, steps, opinions);
    consult.stop(ask.id);
    if (verdict.next === "settle" && verdict.earns === undefined) {
      const { settlement, by, warning } = verdict;
      const reason = steps.findLast(({ result }) => result === "decided")?.why ?? "a rule decided";
      const proposal = proposalOf(ask, settlement, by, { reason, ...(warning !== undefined && { warning }) });
      if (proposal) return propose(found.setting, ask, proposal, steps, {});
    }
    const why = reasonOf(verdict, setting.mode, shown);
    if (!shown?.proposal) return say(ask, leftTo("human", why, steps, { opinions }));
    const seen = opinions.map((opinion) => ({ ...opinion, shown: true }));
    await say(ask, noted("suggested", why, steps, { proposal: shown.proposal, opinions: seen }));
  }

  /** The brain that was asked because nobody answered, where that is still the policy. */
  function escalatedTo({ autopilot }: Ask, { values }: Setting): string | undefined {
    const { escalated, brain } = autopilot ?? {};
    return escalated && brain !== undefined && values.after_escalation === `brain:${brain}` ? brain : undefined;
  }

  async function say(ask: Ask, event: PilotEvent): Promise<void> {
    if (!isNews(ask, event)) return;
    await note(ask, event);
    soon(ask.id);
  }

  /** Held, then sent; or only shown, where it may not act alone. */
  async function propose(
    setting: Setting,
    ask: Ask,
    proposal: Proposal,
    steps: readonly LadderStep[],
    { asked, opinions, stage }: Proposing,
  ): Promise<void> {
    const { mode, values } = setting;
    const { state, brain, proposal: known } = ask.autopilot ?? {};
    const seen = opinions?.map((opinion) => ({ ...opinion, shown: true }));
    const more = { proposal, ...(asked !== undefined && { asked }), ...(seen && { opinions: seen }) };
    if (mode === "suggest") return say(ask, noted("suggested", "the mode is suggest", steps, more));
    const isCounted = brain !== undefined || state === "held";
    const passing = isQuiet(values, now())
      ? `it only suggests in the quiet hours (${values.quiet})`
      : isCounted
        ? undefined
        : await budget.spent(ask, values);
    if (passing !== undefined) return say(ask, noted("suggested", passing, steps, { ...more, passing: true }));
    if (state === "held" && isSameProposal(proposal, known)) return;
    const due = now() + (stage === "automatic" ? 0 : values.undo_seconds * 1000);
    await say(ask, noted("held", proposal.reason, steps, { ...more, due }));
  }

  return { judge, think: brains.think, replied: brains.replied };
}

function reasonOf(verdict: Look["climbed"]["verdict"], mode: Setting["mode"], shown: Candidate | undefined): string {
  if (verdict.next === "human") return verdict.reason;
  if (mode === "suggest") return "the mode is suggest";
  return shown ? untilEarned(shown) : "what the rule says does not answer the question";
}
