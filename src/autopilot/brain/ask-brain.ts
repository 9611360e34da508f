import type { BrainAnswer } from "../../brain/brain.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Actor } from "../../core/ask/outcome.ts";
import type { LadderStep, Opinion, Proposal } from "../../core/ask/proposal.ts";
import type { BrainConfig } from "../../core/autopilot/brain-config.ts";
import type { Store } from "../../store/store.ts";
import type { Budget } from "./budget.ts";
import type { Checked, Consult, Second } from "./consult.ts";
import { nameOfBrain } from "../in-force.ts";
import type { Look, Looking } from "../look.ts";
import { leftTo, noted, type PilotEvent, proposalOf, type Proposing } from "../proposal.ts";
import type { Setting } from "../setting.ts";
import { ASKED_ANYWAY, permitted, type Trust, trustStep, untilEarned } from "../trust.ts";
import { afterVerdict, verdictStep } from "./weigh-verdict.ts";

type Deps = {
  store: Store;
  look: Looking;
  consult: Consult;
  budget: Budget;
  trust: Trust;
  note(ask: Ask, event: PilotEvent): Promise<Ask>;
  inTurn(ask: string, work: () => Promise<void>): Promise<void>;
  say(ask: Ask, event: PilotEvent): Promise<void>;
  propose(setting: Setting, ask: Ask, proposal: Proposal, steps: readonly LadderStep[], more: Proposing): Promise<void>;
};
/** `escalated`: because nobody answered. */
export type Whom = { brain: string; escalated?: true };
type Failure = { asked?: string; passing?: true };
/** What a brain said. Without `checked` its verdict is not known, as when it came by command after a restart. */
export type Said = Omit<BrainAnswer, "sources"> & { checked?: Checked };

/** From a question to what a brain proposes, and from there as far as its verdict, its trust and a second brain let it go. */
export function createAskBrain({ store, look, consult, budget, trust, note, inTurn, say, propose }: Deps) {
  /** What is thought about an Ask now: which brain, with which settings. Each time it is asked is another one. */
  const thinking = new Map<string, { name: string }>();

  /** One that has said what it thinks is not asked again: what it said stands as long as it is this brain that counts. */
  async function askBrain(
    found: Look,
    ask: Ask,
    whom: Whom,
    steps: readonly LadderStep[],
    opinions?: Opinion[],
  ): Promise<void> {
    const { brain } = whom;
    const reached = configOf(found.setting, brain);
    const name = reached && nameOfBrain(brain, reached);
    if (consult.isThinkingAbout(ask.id) && thinking.get(ask.id)?.name === name) return;
    consult.stop(ask.id);
    const { asked, reply, state, why = "" } = ask.autopilot ?? {};
    if (name === undefined || asked !== name) return think(found, ask, whom, steps, opinions);
    const before = { step: "brain", name: brain, result: "decided", why: "it said so before" };
    if (reply) return weighed(found, ask, whom, reply, [...steps, before], name);
    if (state !== "human") await say(ask, leftTo("human", `${brain} had no answer before`, steps));
    else if (ask.autopilot?.proposal) await say(ask, leftTo("human", why, steps));
  }

  /** A brain's answer goes as far as that brain is trusted with the question, its verdict holds and another one agrees. */
  async function weighed(
    found: Look,
    ask: Ask,
    whom: Whom,
    proposal: Proposal,
    steps: readonly LadderStep[],
    asked: string | undefined,
  ): Promise<void> {
    const { setting } = found;
    const candidate = await trust.brain(ask, proposal, asked ?? "", setting.values.trust);
    const others = (ask.autopilot?.opinions ?? []).filter(({ decider }) => decider !== candidate.opinion.decider);
    const opinions = [...others, candidate.opinion];
    const all = [...steps, verdictStep(whom.brain, proposal), trustStep(candidate)];
    const known = asked === undefined ? {} : { asked };
    const { stage } = candidate.standing;
    const { acting } = permitted([candidate], { mode: setting.mode, isNever: false });
    const suggest = (why: string) => {
      const seen = opinions.map((opinion) => ({ ...opinion, shown: true }));
      return say(ask, noted("suggested", why, all, { proposal, opinions: seen, ...known }));
    };
    if (setting.mode === "suggest") return propose(setting, ask, proposal, all, { ...known, opinions, stage });
    if (!acting) return suggest(untilEarned(candidate));
    if (candidate.opinion.turn) return say(ask, leftTo("human", ASKED_ANYWAY, all, { ...known, opinions }));
    const next = afterVerdict(whom.brain, proposal, setting.values.brains);
    if ("only" in next) return suggest(next.only);
    if ("second" in next) return thinkAgain(found, ask, whom, proposal, next.second, asked ?? "");
    return propose(setting, ask, proposal, all, { ...known, opinions, stage });
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
    const reached = configOf(found.setting, brain);
    if (!reached) return giveUp(ask, whom, `there is no [autopilot.brains.${brain}]`, steps);
    // One that a daemon before this one asked counts already.
    const spent = ask.autopilot?.state === "asking" ? undefined : await budget.spent(ask, values);
    if (spent !== undefined) return giveUp(ask, whom, spent, steps, { passing: true });
    const name = nameOfBrain(brain, reached);
    const why = found.climbed.steps.at(-1)?.why ?? "it was asked before";
    const asked = await note(ask, leftTo("asking", why, steps, { ...whom, ...(opinions && { opinions }) }));
    if (asked.outcome) return;
    // Not awaited: a person who pauses or answers meanwhile must not wait for it.
    void consult.ask(brain, reached, { ...found, ask, threshold: values.confidence }).then(
      whileWanted(ask.id, name, async (said) => {
        if ("failure" in said) return giveUp(ask, whom, said.failure, [], { asked: name });
        if ("needsPerson" in said) return needed(ask, whom, said.needsPerson, name);
        return replied(found, ask.id, whom, said.reply);
      }),
    );
  }

  /** Another brain is asked the same, with the options the other way round. */
  async function thinkAgain(
    found: Look,
    ask: Ask,
    whom: Whom,
    proposal: Proposal,
    second: { brain: string; config: BrainConfig },
    name: string,
  ): Promise<void> {
    const why = `${second.brain} has to agree with ${whom.brain}`;
    const step = { step: "brain", name: second.brain, result: "asked", why };
    const more = { ...whom, proposal, asked: name };
    const asked = await note(ask, noted("asking", why, [step], more));
    if (asked.outcome) return;
    const question = { ...found, ask, threshold: found.setting.values.confidence };
    void consult.askAgain(second.brain, second.config, question, proposal).then(
      whileWanted(ask.id, name, async (said: Second) => {
        const current = await store.ask(ask.id);
        if (!current || current.outcome || current.autopilot?.state !== "asking") return;
        const verdict = { ...proposal.verdict, second: { brain: second.brain, ...said } };
        const setting = await look.setting(current.origin);
        await weighed({ ...found, setting }, current, whom, { ...proposal, verdict }, [], name);
      }),
    );
  }

  /** What comes when another brain, or this one anew, is asked meanwhile, is nobody's. */
  function whileWanted<Reply>(id: string, name: string, go: (said: Reply) => Promise<void>) {
    const mine = { name };
    thinking.set(id, mine);
    return (said: Reply | undefined): void => {
      if (said === undefined) return;
      void inTurn(id, async () => {
        if (thinking.get(id) !== mine) return;
        await go(said);
        // Only now: what could not be written is said again.
        if (thinking.get(id) === mine) thinking.delete(id);
      });
    };
  }

  async function replied({ climbed, ...found }: Look, id: string, whom: Whom, reply: Said): Promise<void> {
    const ask = await store.ask(id);
    if (!ask) return;
    const { settlement, reason, confidence, sentBack, conversation, checked } = reply;
    const { brain } = whom;
    const where = conversation === undefined ? {} : { conversation };
    const by: Actor = { type: "brain", surface: "autopilot", name: brain, ...where };
    const warning = climbed.verdict.next === "human" ? undefined : climbed.verdict.warning;
    const said = {
      reason,
      ...(confidence !== undefined && { confidence }),
      ...(warning !== undefined && { warning }),
      ...(checked && { verdict: checked }),
    };
    const step = (result: string, why: string) => ({ step: "brain", name: brain, result, why });
    const proposal = proposalOf(ask, settlement, by, said);
    const reached = configOf(found.setting, brain);
    const name = reached && nameOfBrain(brain, reached);
    const asked = name === undefined ? {} : { asked: name };
    if (!proposal) return giveUp(ask, whom, `${brain}: its reply does not answer the question`, [], asked);
    const steps = [
      ...(sentBack ? [step("failed", `sent back: ${sentBack.map(({ message }) => message).join("; ")}`)] : []),
      step("decided", reason || "it gave no reason"),
    ];
    if (ask.outcome) return void (await note(ask, noted("late", "it was settled already", steps, { proposal, brain })));
    if (ask.autopilot?.state !== "asking") return;
    await weighed({ ...found, climbed, setting: await look.setting(ask.origin) }, ask, whom, proposal, steps, name);
  }

  /** It says that it is for a person: then nothing is proposed either. */
  async function needed(ask: Ask, whom: Whom, reason: string, asked: string): Promise<void> {
    const why = `${whom.brain} says that it needs a person${reason === "" ? "" : `: ${reason}`}`;
    const step = { step: "brain", name: whom.brain, result: "held", why };
    const current = (await store.ask(ask.id)) ?? ask;
    await say(current, leftTo("human", why, [step], { ...(whom.escalated && { escalated: true }), asked }));
  }

  /** The ladder goes on: after brains come people. */
  async function giveUp(
    ask: Ask,
    whom: Whom,
    why: string,
    steps: readonly LadderStep[],
    more: Failure = {},
  ): Promise<void> {
    const failed = { step: "brain", name: whom.brain, result: "failed", why };
    // What passes by itself is no escalation that failed: it comes again.
    const escalated = whom.escalated && !more.passing ? { escalated: true } : {};
    const current = (await store.ask(ask.id)) ?? ask;
    await say(current, leftTo("human", why, [...steps, failed], { ...escalated, ...more }));
    thinking.delete(ask.id);
  }

  return { askBrain, think, replied };
}

const configOf = ({ values: { brains } }: Setting, name: string): BrainConfig | undefined =>
  Object.hasOwn(brains, name) ? brains[name] : undefined;
