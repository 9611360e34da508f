import type { BrainReply } from "../brain/brain.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { LadderStep, Opinion, Proposal } from "../core/ask/proposal.ts";
import type { Stage } from "../core/autopilot/trust/stage.ts";
import { standingWords } from "../core/words/trust-words.ts";
import type { Store } from "../store/store.ts";
import type { Alarm } from "./alarm.ts";
import type { Budget } from "./budget.ts";
import type { Consult } from "./consult.ts";
import type { Look, Looking } from "./look.ts";
import { nameOfBrain } from "./in-force.ts";
import { isContextComing, isNews, isSameProposal, noted, type PilotEvent, proposalOf } from "./proposal.ts";
import { isQuiet, type Setting } from "./setting.ts";
import { ASKED_ANYWAY, type Candidate, permitted, type Trust, trustStep } from "./trust.ts";

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
/** `escalated`: because nobody answered. */
type Whom = { brain: string; escalated?: true };

/** What the agent said before is known so long after it asked, if at all. */
const CONTEXT_MS = 3500;

/** From a question to a proposal: up the ladder, and to a brain where it leads there. */
export function createDecide({ store, look, consult, budget, alarm, trust, now, note, inTurn, soon }: Deps) {
  /** Which brain, with which settings, thinks about an Ask now. */
  const thinking = new Map<string, string>();

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
    if (later !== undefined) return askBrain(found, ask, { brain: later, escalated: true }, []);
    const { acting, shown } = permitted(candidates, { mode: setting.mode, isNever });
    const opinions = candidates.map(({ opinion }) => opinion);
    if (acting?.proposal) {
      consult.stop(ask.id);
      if (acting.opinion.turn) return say(ask, leftTo("human", ASKED_ANYWAY, steps, { opinions }));
      const decided = steps.filter(({ step }) => step !== "human");
      return propose(found.setting, ask, acting.proposal, decided, { opinions, stage: acting.standing.stage });
    }
    if (verdict.next === "brain") return askBrain(found, ask, { brain: verdict.brain }, steps, opinions);
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

  /** One that has said what it thinks is not asked again: what it said stands as long as it is this brain that counts. */
  async function askBrain(
    found: Look,
    ask: Ask,
    whom: Whom,
    steps: readonly LadderStep[],
    opinions?: Opinion[],
  ): Promise<void> {
    const { brain } = whom;
    const { values } = found.setting;
    const reached = Object.hasOwn(values.brains, brain) ? values.brains[brain] : undefined;
    const name = reached && nameOfBrain(brain, reached);
    if (consult.isThinkingAbout(ask.id) && thinking.get(ask.id) === name) return;
    consult.stop(ask.id);
    const { asked, reply, state, why = "" } = ask.autopilot ?? {};
    if (name === undefined || asked !== name) return think(found, ask, whom, steps, opinions);
    if (reply)
      return weighed(
        found.setting,
        ask,
        reply,
        [...steps, { step: "brain", name: brain, result: "decided", why: "it said so before" }],
        name,
      );
    if (state !== "human") await say(ask, leftTo("human", `${brain} had no answer before`, steps));
    else if (ask.autopilot?.proposal) await say(ask, leftTo("human", why, steps));
  }

  /** A brain's answer goes as far as that brain is trusted with the question. */
  async function weighed(
    setting: Setting,
    ask: Ask,
    proposal: Proposal,
    steps: readonly LadderStep[],
    asked: string | undefined,
  ): Promise<void> {
    const found = await trust.brain(ask, proposal, asked ?? "", setting.values.trust);
    const others = (ask.autopilot?.opinions ?? []).filter(({ decider }) => decider !== found.opinion.decider);
    const opinions = [...others, found.opinion];
    const all = [...steps, trustStep(found)];
    const known = asked === undefined ? {} : { asked };
    const { acting } = permitted([found], { mode: setting.mode, isNever: false });
    if (setting.mode === "suggest" || (acting && !found.opinion.turn))
      return propose(setting, ask, proposal, all, { ...known, opinions, stage: found.standing.stage });
    if (acting) return say(ask, leftTo("human", ASKED_ANYWAY, all, { ...known, opinions }));
    const seen = opinions.map((opinion) => ({ ...opinion, shown: true }));
    const why = untilEarned(found);
    await say(ask, noted("suggested", why, all, { proposal, opinions: seen, ...known }));
  }

  async function think(
    found: Look,
    ask: Ask,
    whom: Whom,
    steps: readonly LadderStep[],
    opinions?: Opinion[],
  ): Promise<void> {
    const { values } = found.setting;
    const { brain } = whom;
    const reached = Object.hasOwn(values.brains, brain) ? values.brains[brain] : undefined;
    if (!reached) return giveUp(ask, whom, `there is no [autopilot.brains.${brain}]`, steps);
    // One that a daemon before this one asked counts already.
    const spent = ask.autopilot?.state === "asking" ? undefined : await budget.spent(ask, values);
    if (spent !== undefined) return giveUp(ask, whom, spent, steps, { passing: true });
    const name = nameOfBrain(brain, reached);
    const why = found.climbed.steps.at(-1)?.why ?? "it was asked before";
    const asked = await note(ask, leftTo("asking", why, steps, { ...whom, ...(opinions && { opinions }) }));
    if (asked.outcome) return;
    thinking.set(ask.id, name);
    // Not awaited: a person who pauses or answers meanwhile must not wait for it.
    void consult.ask(brain, reached, { ...found, ask }).then((said) => {
      if (!said) return;
      const go = () =>
        "reply" in said
          ? replied(found, ask.id, whom, said.reply)
          : giveUp(ask, whom, said.failure, [], { asked: name });
      void inTurn(ask.id, go);
    });
  }

  async function replied({ climbed, setting }: Look, id: string, whom: Whom, reply: BrainReply): Promise<void> {
    thinking.delete(id);
    const ask = await store.ask(id);
    if (!ask) return;
    const { settlement, reason, confidence, sentBack, conversation } = reply;
    const { brain } = whom;
    const where = conversation === undefined ? {} : { conversation };
    const by: Actor = { type: "brain", surface: "autopilot", name: brain, ...where };
    const warning = climbed.verdict.next === "human" ? undefined : climbed.verdict.warning;
    const said = { reason, ...(confidence !== undefined && { confidence }), ...(warning !== undefined && { warning }) };
    const step = (result: string, why: string) => ({ step: "brain", name: brain, result, why });
    const proposal = proposalOf(ask, settlement, by, said);
    const reached = Object.hasOwn(setting.values.brains, brain) ? setting.values.brains[brain] : undefined;
    const name = reached && nameOfBrain(brain, reached);
    const asked = name === undefined ? {} : { asked: name };
    if (!proposal) return giveUp(ask, whom, `${brain}: its reply does not answer the question`, [], asked);
    const steps = [
      ...(sentBack ? [step("failed", `sent back: ${sentBack.map(({ message }) => message).join("; ")}`)] : []),
      step("decided", reason || "it gave no reason"),
    ];
    if (ask.outcome) return void (await note(ask, noted("late", "it was settled already", steps, { proposal, brain })));
    if (ask.autopilot?.state === "asking") await weighed(await look.setting(ask.origin), ask, proposal, steps, name);
  }

  /** The ladder goes on: after brains come people. */
  async function giveUp(
    ask: Ask,
    whom: Whom,
    why: string,
    steps: readonly LadderStep[],
    more: Failure = {},
  ): Promise<void> {
    thinking.delete(ask.id);
    const failed = { step: "brain", name: whom.brain, result: "failed", why };
    // What passes by itself is no escalation that failed: it comes again.
    const escalated = whom.escalated && !more.passing ? { escalated: true } : {};
    const current = (await store.ask(ask.id)) ?? ask;
    await say(current, leftTo("human", why, [...steps, failed], { ...escalated, ...more }));
  }

  return { judge, think, replied };
}

type Failure = { asked?: string; passing?: true };
/** `asked`: the brain, with its settings. `stage`: how far its decider is trusted, where it had to earn that. */
type Proposing = { asked?: string; opinions?: Opinion[]; stage?: Stage };

function reasonOf(verdict: Look["climbed"]["verdict"], mode: Setting["mode"], shown: Candidate | undefined): string {
  if (verdict.next === "human") return verdict.reason;
  if (mode === "suggest") return "the mode is suggest";
  return shown ? untilEarned(shown) : "what the rule says does not answer the question";
}

const untilEarned = ({ standing }: Candidate) => `it suggests until it has earned more: ${standingWords(standing)}`;

/** Nothing is proposed any more. */
const leftTo: typeof noted = (state, why, steps, more) => noted(state, why, steps, { ...more, withdrawn: true });
