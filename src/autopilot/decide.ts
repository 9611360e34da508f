import type { BrainReply } from "../brain/brain.ts";
import type { Ask } from "../core/ask.ts";
import type { Actor } from "../core/outcome.ts";
import type { LadderStep, Proposal } from "../core/proposal.ts";
import type { Store } from "../store/store.ts";
import type { Alarm } from "./alarm.ts";
import type { Budget } from "./budget.ts";
import type { Consult } from "./consult.ts";
import type { Look, Looking } from "./look.ts";
import { isContextComing, noted, type PilotEvent, proposalOf } from "./proposal.ts";
import { isQuiet, type Setting } from "./setting.ts";

type Deps = {
  store: Store;
  look: Looking;
  consult: Consult;
  budget: Budget;
  alarm: Alarm;
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
export function createDecide({ store, look, consult, budget, alarm, now, note, inTurn, soon }: Deps) {
  async function begin(ask: Ask, setting: Setting): Promise<void> {
    const readyAt = ask.createdAt + CONTEXT_MS;
    if (isContextComing(ask) && readyAt > now()) return alarm.at(ask.id, readyAt);
    const found = await look.climb(ask, setting);
    const { steps, verdict, suggestion } = found.climbed;
    const { escalated, brain } = ask.autopilot ?? {};
    if (escalated && brain !== undefined) return ponder(found, ask, { brain, escalated: true }, []);
    if (verdict.next === "brain") return ponder(found, ask, { brain: verdict.brain }, steps);
    if (verdict.next === "settle") {
      const { settlement, by, warning } = verdict;
      const reason = steps.findLast(({ result }) => result === "decided")?.why ?? "a rule decided";
      const proposal = proposalOf(ask, settlement, by, { reason, ...(warning !== undefined && { warning }) });
      if (proposal) return propose(found.setting, ask, proposal, steps);
    }
    const why = verdict.next === "human" ? verdict.reason : "what the rule says does not answer the question";
    const proposal = suggestion && proposalOf(ask, suggestion.settlement, suggestion.by, { reason: suggestion.why });
    await note(ask, proposal ? noted("suggested", why, steps, { proposal }) : noted("human", why, steps));
    soon(ask.id);
  }

  /** Held, then sent; or only shown, where it may not act alone. */
  async function propose(setting: Setting, ask: Ask, proposal: Proposal, steps: readonly LadderStep[]): Promise<void> {
    const { mode, values } = setting;
    const isAlready = ask.autopilot?.brain !== undefined;
    const held =
      mode === "suggest"
        ? "the mode is suggest"
        : isQuiet(values, now())
          ? `it only suggests in the quiet hours (${values.quiet})`
          : isAlready
            ? undefined
            : await budget.spent(ask, values);
    if (held !== undefined) return note(ask, noted("suggested", held, steps, { proposal })).then(() => soon(ask.id));
    const due = now() + values.undo_seconds * 1000;
    await note(ask, noted("held", proposal.reason, steps, { proposal, due }));
    soon(ask.id);
  }

  async function ponder(found: Look, ask: Ask, whom: Whom, steps: readonly LadderStep[]): Promise<void> {
    const { values } = found.setting;
    const { brain } = whom;
    const reached = Object.hasOwn(values.brains, brain) ? values.brains[brain] : undefined;
    if (!reached) return giveUp(ask, whom, `there is no [autopilot.brains.${brain}]`, steps);
    // One that a daemon before this one asked counts already.
    const spent = ask.autopilot?.state === "asking" ? undefined : await budget.spent(ask, values);
    if (spent !== undefined) return giveUp(ask, whom, spent, steps);
    const asked = await note(ask, noted("asking", steps.at(-1)?.why ?? "it was asked before", steps, whom));
    if (asked.outcome) return;
    // Not awaited: a person who pauses or answers meanwhile must not wait for it.
    void consult.ask(brain, reached, { ...found, ask }).then((said) => {
      if (!said) return;
      const go = () =>
        "reply" in said ? replied(found, ask.id, whom, said.reply) : giveUp(ask, whom, said.failure, []);
      void inTurn(ask.id, go);
    });
  }

  async function replied({ climbed }: Look, id: string, whom: Whom, reply: BrainReply): Promise<void> {
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
    if (!proposal) return giveUp(ask, whom, `${brain}: its reply does not answer the question`, []);
    const steps = [
      ...(sentBack ? [step("failed", `sent back: ${sentBack.map(({ message }) => message).join("; ")}`)] : []),
      step("decided", reason || "it gave no reason"),
    ];
    if (ask.outcome) return void (await note(ask, noted("late", "it was settled already", steps, { proposal, brain })));
    if (ask.autopilot?.state === "asking") await propose(await look.setting(ask.origin), ask, proposal, steps);
  }

  /** The ladder goes on: after brains come people. */
  async function giveUp(ask: Ask, whom: Whom, why: string, steps: readonly LadderStep[]): Promise<void> {
    const failed = { step: "brain", name: whom.brain, result: "failed", why };
    await note(ask, noted("human", why, [...steps, failed], whom.escalated ? { escalated: true } : {}));
    soon(ask.id);
  }

  return { begin, ponder, replied };
}
