import type { BrainDeps } from "../brain/think.ts";
import type { CommandReply } from "../brain/replies.ts";
import type { Ask } from "../core/ask/ask.ts";
import { GIVES_OUTCOME, MATTERS_TO_AUTOPILOT } from "../core/ask/event-lists.ts";
import { contradiction } from "../core/autopilot/ladder/precedent.ts";
import { ParleyError } from "../core/error.ts";
import { duration } from "../core/words/time.ts";
import type { Actor } from "../core/ask/outcome.ts";
import { settle } from "../core/ask/settle.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import { createSerial } from "../machine/time/serial.ts";
import { eachAsk } from "../store/each-ask.ts";
import type { Store } from "../store/store.ts";
import { createAlarm } from "./alarm.ts";
import { createBudget } from "./brain/budget.ts";
import { createConsult } from "./brain/consult.ts";
import { createDecide } from "./decide.ts";
import { createInTurn } from "./in-turn.ts";
import { createInForce, nameOfSetting } from "./in-force.ts";
import { createLook } from "./look.ts";
import { createPauses } from "./pauses.ts";
import { isAnswerable, noted, type PilotEvent, settlementOf, undone } from "./proposal.ts";
import { isOffIn, type Setting } from "./setting.ts";
import { createTrust } from "./trust.ts";
import { createWake } from "./wake.ts";

type Deps = {
  store: Store;
  inbox: Pick<Inbox, "change">;
  config: ConfigFiles;
  brains: BrainDeps;
  /** Where it is kept whether the autopilot is paused. */
  pauseFile: string;
  /** What "~" means. */
  userHome: string;
  now: () => number;
  log: (message: string, fields: Record<string, unknown>) => void;
};
type Once = { key: string; digest: string };
export type Autopilot = ReturnType<typeof createAutopilot>;

const PAUSED = "the autopilot is paused";
const SWITCHED_OFF = "the autopilot was switched off";
/** Quiet hours end, and budgets come back, unseen. */
const AGAIN_MS = 60_000;

/**
 * Answers in the person's place where they switched it on. Everything it does follows from the Ask as it is stored:
 * `step` looks at it and does the next thing, so that a daemon killed anywhere goes on by looking again.
 */
export function createAutopilot(deps: Deps) {
  const { store, inbox, config, now, log } = deps;
  const look = createLook(deps);
  const consult = createConsult(deps);
  const budget = createBudget(deps);
  const pauses = createPauses(deps.pauseFile);
  const serial = createSerial();
  let stopped = false;
  const inTurn = createInTurn({ serial, isStopped: () => stopped, log });
  const alarm = createAlarm(now, (id) => soon(id, true));
  /** What may be otherwise in a while: its budget, its quiet hours. */
  const again = createAlarm(now, (id) => soon(id, true));
  const trust = createTrust({ marks: store.marks, now });
  const decide = createDecide({ store, look, consult, budget, alarm, trust, now, note, inTurn, soon });
  const inForce = createInForce(look);
  /** By which settings each Ask was judged last. */
  const judgedBy = new Map<string, string>();
  const wake = createWake({ isOff, soon: (id) => soon(id, true) });
  let known: string | undefined;

  const unhook = store.onCommit((events) => {
    // By the settings as they were last read; when they change, `tick` looks at everything that is open.
    if (isOffIn(config.latest())) return wake(events);
    for (const { ask, type } of events) {
      if (ask !== undefined && MATTERS_TO_AUTOPILOT.has(type)) soon(ask, true);
      if (ask !== undefined && GIVES_OUTCOME.has(type)) void inTurn(ask, () => compare(ask));
    }
  });

  /** `isAnew`: whatever it was judged by before. */
  function soon(id: string, isAnew = false): void {
    void inTurn(id, () => step(id, isAnew));
  }

  async function step(id: string, isAnew = false): Promise<void> {
    const ask = await store.ask(id);
    if (!ask || ask.outcome || stopped || !isAnswerable(ask)) return over(id, ask);
    if (!ask.autopilot && (await isOff())) return;
    const setting = await look.setting(ask.origin);
    const settings = nameOfSetting(setting);
    inForce.note(ask.origin, settings);
    const isJudged = judgedBy.get(id) === settings;
    judgedBy.set(id, settings);
    const state = ask.autopilot?.state;
    if (state === "undone" || state === "late") return undefined;
    if (setting.mode === "off") return halt(ask, noted("human", SWITCHED_OFF, [], { withdrawn: true }));
    if (isPaused(ask)) return pause(ask, isJudged);
    const isWaiting = state === "human" || state === "suggested" || state === "held";
    const isThinking = state === "asking" && consult.isThinkingAbout(id);
    if (isAnew || !isJudged || !(isWaiting || isThinking)) await decide.judge(ask, setting);
    const judged = await store.ask(id);
    if (judged && !judged.outcome) await rest(judged, setting);
  }

  /** What it does when its time has come, or when that is. */
  async function rest(ask: Ask, setting: Setting): Promise<void> {
    const { state, due = 0, at = 0 } = ask.autopilot ?? {};
    if (state === "held") return alarm.isAhead(ask.id, due, at) ? undefined : send(ask);
    if (state !== "human" && state !== "suggested") return;
    if (ask.autopilot?.passing) again.isAhead(ask.id, now() + AGAIN_MS, now());
    await escalate(ask, setting);
  }

  /** A brain that thinks about what a person answered goes on: what it says is kept, and compared. */
  function over(id: string, ask: Ask | undefined): void {
    alarm.drop(id);
    again.drop(id);
    judgedBy.delete(id);
    if (ask?.outcome?.actor.type === "system") consult.stop(id);
  }

  /** A person decided otherwise than always before: that is pointed out, and no precedent from now on. */
  async function compare(id: string): Promise<void> {
    const ask = await store.ask(id);
    if (!ask?.outcome?.answers || ask.outcome.actor.type !== "person" || (await isOff())) return;
    const why = contradiction(ask, ask.outcome.answers, await look.precedents(ask));
    if (why !== undefined) await note(ask, noted("late", why, [{ step: "precedent", result: "failed", why }]));
  }

  async function isOff(): Promise<boolean> {
    return isOffIn((await config.current()).values);
  }

  /** Contract: it was judged just now; nothing goes out that was paused, undone or answered meanwhile. */
  async function send(ask: Ask): Promise<void> {
    try {
      await inbox.change(ask.id, (current) => {
        const { state, proposal } = current.autopilot ?? {};
        if (current.outcome || state !== "held" || !proposal || isPaused(current)) return [];
        return [settle(current, settlementOf(current, proposal), proposal.by, now())];
      });
      alarm.drop(ask.id);
    } catch (error) {
      // The disk is full, say: what it would answer is as right as before.
      if (!(error instanceof ParleyError) || error.code === "not_written") throw error;
      const why = error instanceof Error ? error.message : String(error);
      await note(ask, noted("human", why, [{ step: "human", result: "failed", why: `it was refused: ${why}` }]));
    }
  }

  /** What happens when a person has had their time. */
  async function escalate(ask: Ask, { mode, values }: Setting): Promise<void> {
    const pilot = ask.autopilot;
    const after = values.escalate_after_seconds * 1000;
    if (!pilot || pilot.escalated || after === 0) return;
    const due = pilot.at + after;
    if (alarm.isAhead(ask.id, due, pilot.at)) return;
    const waited = `nobody answered within ${duration(after)}`;
    const steps = (why: string) => [{ step: "human", result: "passed", why: `${waited}: ${why}` }];
    const more = { escalated: true, ...(pilot.passing && { passing: true }) };
    const stay = (why: string) => note(ask, noted(pilot.state, pilot.why, steps(why), more));
    if (values.after_escalation === "wait") return void (await stay("it keeps waiting"));
    const found = await look.runLadder(ask);
    const { verdict } = found.climbed;
    if (verdict.next === "human" && verdict.never) return void (await stay("only a person answers this"));
    if (values.after_escalation === "expire") {
      if (mode !== "on") return void (await stay("the mode is suggest, so it keeps waiting"));
      const outcome = {
        type: "expired" as const,
        actor: { type: "system" as const, surface: "autopilot" },
        at: now(),
        reason: waited,
        message: waited,
      };
      return void (await inbox.change(ask.id, (current) =>
        current.outcome ? [] : [{ type: "ask.settled", outcome }],
      ));
    }
    const brain = values.after_escalation.slice("brain:".length);
    await decide.think(found, ask, { brain, escalated: true }, steps(`${brain} is asked`));
  }

  /** What is proposed stays with the person, unless other settings hold by now. */
  async function pause(ask: Ask, isJudged: boolean): Promise<void> {
    const isKept = isJudged || ask.autopilot?.state !== "suggested";
    const more = isKept ? {} : { withdrawn: true };
    const event = noted("paused", PAUSED, [{ step: "human", result: "held", why: PAUSED }], more);
    if (isKept) return halt(ask, event, ask.autopilot === undefined);
    await note(ask, event);
  }

  /** Stops what it was about to do, and takes back what holds no longer; what is with a person already stays so. */
  async function halt(ask: Ask, event: PilotEvent, isFirst = false): Promise<void> {
    consult.stop(ask.id);
    alarm.drop(ask.id);
    const state = ask.autopilot?.state;
    const isProposed = state === "suggested" && event.withdrawn === true;
    if (state === "held" || state === "asking" || isProposed || isFirst) await note(ask, event);
  }

  /** Contract: what is settled, or what a person took back, stays so. */
  async function note({ id }: Ask, event: PilotEvent): Promise<Ask> {
    const isOver = ({ outcome, autopilot }: Ask) => outcome !== undefined || autopilot?.state === "undone";
    return inbox.change(id, (current) => (isOver(current) && event.state !== "late" ? [] : [event]));
  }

  /** A brain that nobody asked settles no more than one that was asked. */
  async function refuseUnasked(ask: Ask): Promise<void> {
    if (ask.outcome) return;
    const refuse = (why: string) => new ParleyError("forbidden", `Only a person may answer this: ${why}`);
    if (isPaused(ask)) throw refuse(PAUSED);
    if (ask.autopilot?.state === "undone") throw refuse(ask.autopilot.why);
    const { verdict } = (await look.runLadder(ask)).climbed;
    if (verdict.next === "human" && verdict.never) throw refuse(verdict.reason);
  }

  const isPaused = ({ origin }: Ask) => pauses.since(origin.session) !== undefined;

  /** Contract: resolves when each open Ask was looked at. */
  async function lookAtAll(): Promise<void> {
    const isIdle = await isOff();
    for await (const { id, autopilot } of eachAsk(store, ["open"]))
      if (autopilot || !isIdle) await inTurn(id, () => step(id));
  }

  return {
    look,
    pauses,
    consult,
    budget,
    trust,
    async start(): Promise<void> {
      known = JSON.stringify((await config.current()).values.autopilot);
      void fillPrecedents();
      await lookAtAll();
    },
    /** To be called now and then: sees new settings, and a clock that was set. */
    async tick(): Promise<void> {
      alarm.look();
      again.look();
      const before = known;
      known = JSON.stringify((await config.current()).values.autopilot);
      const isOther = await inForce.hasChanged();
      if (before !== undefined && (before !== known || isOther)) await lookAtAll();
    },
    /** Contract: when it resolves nothing goes out any more that it concerns, also after a restart. */
    async pause(session: string | undefined, isOn: boolean): Promise<void> {
      await pauses.set(session, isOn ? now() : undefined);
      await lookAtAll();
    },
    /** Takes back what has not gone out yet. */
    async undo(id: string, actor: Actor, once?: Once): Promise<Ask> {
      // In its turn: a brain's reply that is just being taken must not come after it.
      const ask = await serial(id, () => inbox.change(id, (current) => [undone(current, actor, now())], once));
      consult.stop(id);
      alarm.drop(id);
      return ask;
    },
    /**
     * A brain's answer by command that nobody waits for. True: it was kept for what it is, or went the way of every reply;
     * false: no brain was asked, and it is not for a person alone, so it is for the caller to settle.
     */
    async decided(ask: Ask, { reason = "", ...reply }: CommandReply, program?: string): Promise<boolean> {
      const { brain, state } = ask.autopilot ?? {};
      if (brain === undefined) return (await refuseUnasked(ask), false);
      if (program !== brain && state === "asking")
        throw new ParleyError("forbidden", `Another brain is asked about this: only --as ${brain} answers it`);
      if (!ask.outcome && state !== "asking")
        throw new ParleyError("forbidden", "The answer of a brain is no longer wanted here: it is left to a person");
      const found = await look.runLadder(ask);
      const { confidence } = reply;
      const said = { settlement: reply.settlement, reason, ...(confidence !== undefined && { confidence }) };
      await serial(ask.id, () => decide.replied(found, ask.id, { brain }, said));
      consult.stop(ask.id);
      return true;
    },
    stop(): void {
      stopped = true;
      unhook();
      alarm.stop();
      again.stop();
      consult.stopAll();
    },
  };

  async function fillPrecedents(): Promise<void> {
    while (!stopped && (await store.keyPrecedents()) > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
