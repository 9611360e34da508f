import type { Agent } from "../agents/agent.ts";
import type { HookReading } from "../agents/capability/reading.ts";
import { agentNamed } from "../agents/agents.ts";
import { type ChannelName, OWN_DIALOG } from "../core/ask/channel.ts";
import type { Holds } from "./holds.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { HookAck, HookCall, HookRelease, HookReply } from "../protocol/hook.ts";
import { asksSecret } from "../core/ask/answer/field.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Callers } from "../inbox/callers.ts";
import { createCapture, leftBehind, wayBackFor } from "../inbox/capture.ts";
import type { Context } from "../inbox/context.ts";
import type { ChangedCalls } from "./changed-calls.ts";
import type { Deliver } from "./deliver.ts";
import { allowedBefore, type TakeGrant, withCancel } from "./in-task.ts";
import { createWaiting, type Limit, NOTHING } from "./waiting.ts";
import { decidedThere } from "../inbox/decided-there.ts";
import { createEndings } from "../inbox/endings.ts";
import type { Clock, Decided, Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import type { Later } from "../machine/time/later.ts";
import { originOf } from "../inbox/origin.ts";
import { createProjects } from "../inbox/projects.ts";
import type { Grants } from "../inbox/grant/grants.ts";
import type { IdleSessions } from "../inbox/idle.ts";
import { type MustAsk, mustAskWords } from "../inbox/grant/must-ask.ts";
import type { Reconciler } from "../inbox/reconcile.ts";
import type { Corrections } from "../inbox/corrections.ts";
import { CORRECTION, createTellAgent } from "./tell-agent.ts";
import { createSerial } from "../machine/time/serial.ts";
import { noteSession } from "../inbox/session.ts";
import { createRecordAsks } from "./record-asks.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  holds: Holds;
  deliver: Deliver;
  reconciler: Reconciler;
  now: Clock;
  /** How long a prompt inside a subagent is held, and what a server asks for through the agent. */
  holdMs: { subagent: () => number; elicitation: () => number };
  log: Log;
  callers: Callers;
  context: Context;
  idle: IdleSessions;
  grants: Grants;
  mustAsk: MustAsk;
  changedCalls: ChangedCalls;
  corrections: Corrections;
  tasks: {
    /** The task's run was started because its agent has not heard what became of this Ask. */
    startedFor(task: string, ask: string): Promise<boolean>;
    takeGrant: TakeGrant;
    /** A session goes on in a process that is no task's run. */
    wentOn(session: string): Promise<void>;
  };
};
type Asked = HookReading & { type: "asked" };
const LATE_MS = 1000;
const ENDING = new Set<HookReading["type"]>(["result", "decided", "turn-ended", "session-ended"]);
export type Hooks = ReturnType<typeof createHooks>;

/** What agents' hooks tell the daemon, and what they get back. */
export function createHooks(deps: Deps) {
  const { store, inbox, holds, deliver, reconciler, now, holdMs, log, callers, context, idle, grants, mustAsk } = deps;
  const { corrections, tasks } = deps;
  const { titles } = context;
  const { changedCalls } = deps;
  const capture = createCapture({ store, inbox });
  const serial = createSerial();
  const waiting = createWaiting({ inbox, holds, deliver, reconciler, log });
  const projectOf = createProjects(now);
  const endings = createEndings({ store, reconciler, log });
  const fromRecord = createRecordAsks({ ...deps, capture, serial, projectOf });
  const tell = createTellAgent({ store, reconciler, corrections, now });

  async function call(hook: HookCall, gone: AbortSignal): Promise<HookReply | Later<HookReply>> {
    const agent = agentNamed(hook.agent);
    if (agent && hook.ran) return changedCalls.ran(agent, hook);
    const reading = agent?.hooks?.read(hook.payload, [], hook.waits);
    if (!agent || !reading) {
      log("debug", "a hook that says nothing to Parley", { agent: hook.agent });
      return NOTHING;
    }
    if (hook.mustAsk) return askFirst(agent, reading);
    if (reading.type === "asked" && reading.isOnlyGranted) return fromRecord.granted(agent, reading, hook);
    await callers.note(reading.session.id, agent, hook.facts);
    // What an agent makes a hook say that it did not call itself ends nothing.
    if (ENDING.has(reading.type) && !callers.isFrom(reading.session.id, hook.facts)) {
      log("warn", "a hook that the session's own process did not call", {
        session: reading.session.id,
        type: reading.type,
      });
      return NOTHING;
    }
    await noteSession({ store, now, projectOf }, agent, reading, hook);
    if (reading.type !== "noticed") await reconciler.attended(reading.session.id);
    const goesOn = reading.type !== "noticed" && reading.type !== "session-ended";
    if (goesOn && hook.facts.task === undefined) await tasks.wentOn(reading.session.id);
    if (goesOn && reading.type !== "turn-ended") await idle.wentOn(reading.session.id);
    switch (reading.type) {
      case "asked":
        return asked(agent, withCancel(await offered(agent, reading, hook), hook.facts.task), hook, gone);
      case "result":
        await serial(reading.session.id, () => endings.result(reading));
        return told(agent, reading, hook);
      case "prompted":
        return told(agent, reading, hook);
      case "turn-ended":
        return turnEnded(agent, reading, hook);
      case "session-ended":
        await endings.sessionEnded(reading.session.id, hook.calledAt ?? now());
        return NOTHING;
      case "session-started":
        // A task's run is resumed by the one that knows what was answered.
        return reading.resumed && hook.facts.task === undefined ? tell.handOver(agent, reading, hook) : NOTHING;
      case "asks":
        return fromRecord.look(agent, reading, hook);
      case "decided":
        await serial(reading.session.id, () => decidedThere({ store, inbox, now }, reading));
        return NOTHING;
      case "noticed":
        await serial(reading.session.id, () => notice(agent, reading, hook));
        return NOTHING;
    }
  }

  /** A task is told by the one that runs it, and whoever else calls a session's hook nothing. */
  async function told(agent: Agent, { session: { id } }: HookReading, hook: HookCall): Promise<HookReply> {
    const isOwn = hook.facts.task === undefined && callers.isFrom(id, hook.facts);
    return isOwn ? tell.corrections(agent, id, hook) : NOTHING;
  }

  /** Before a call, in whatever mode: silent, unless a person wants to be asked about it. */
  async function askFirst({ hooks }: Agent, reading: HookReading): Promise<HookReply> {
    const pattern = reading.type === "asked" ? await mustAsk.patternFor(reading) : undefined;
    return pattern === undefined ? NOTHING : { output: hooks?.askFirst?.(mustAskWords(pattern)), handed: [] };
  }

  /** What may be offered depends on the modes the session has been in, and on what its agent can be told. */
  async function offered(agent: Agent, reading: Asked, { payload, edits, waits, facts }: HookCall): Promise<Asked> {
    const { modes = [] } = (await store.session(reading.session.id)) ?? {};
    const again = reading.kind === "question" ? undefined : agent.hooks?.read(payload, modes, waits);
    const { editable, ...asked } = again?.type === "asked" ? again : reading;
    if (facts.container !== undefined) return withoutCall(asked);
    return { ...asked, ...(editable && edits && { editable }) };
  }

  /** Unless there is something to tell it, with which it goes on. */
  async function turnEnded(agent: Agent, reading: HookReading & { type: "turn-ended" }, hook: HookCall) {
    const more = await told(agent, reading, hook);
    if (more.output !== undefined) return more;
    await endings.turnEnded(reading.session.id, hook.calledAt ?? now());
    // A task says itself what it waits for.
    if (hook.facts.task === undefined) void finished(agent, reading);
    return NOTHING;
  }

  /** Not awaited: the agent waits for its hook, and its record may be long. */
  async function finished(agent: Agent, { session, said }: HookReading & { type: "turn-ended" }): Promise<void> {
    try {
      await idle.finished(agent, session.id, said);
      await titles.read(agent, session);
    } catch (error) {
      log("warn", "the end of a turn could not be kept", { session: session.id, error: String(error) });
    }
  }

  /** A dialog that no hook can answer. A question that is open says more than a notice about it. */
  async function notice(agent: Agent, reading: HookReading & { type: "noticed" }, hook: HookCall): Promise<void> {
    const { needs, session, message } = reading;
    if (needs === undefined || (await activeOf(session.id)).some(({ outcome }) => !outcome)) return;
    const after = needs === "idle" ? await idle.finished(agent, session.id, undefined, true) : undefined;
    const sessionTitle = await titles.read(agent, session);
    // It has nothing to answer: it stands under the sessions, unless a person wants to be asked.
    if (needs === "idle" && (!idle.isWanted() || hook.facts.task !== undefined)) return;
    const said = after?.idle?.said;
    const question = {
      text: message,
      header: "Attention",
      multiSelect: false,
      options: [],
      ...(said && { body: said }),
    };
    const named = sessionTitle === undefined ? {} : { sessionTitle };
    const origin = { ...(await originOf(agent, reading, hook.facts, projectOf)), ...named };
    await inbox.create({ kind: needs, questions: [question], origin, key: "notice", channel: "none" });
  }

  async function asked(
    agent: Agent,
    reading: Asked,
    hook: HookCall,
    gone: AbortSignal,
  ): Promise<HookReply | Later<HookReply>> {
    const channel: ChannelName = reading.dialogOpen ? "race" : "hold";
    const { ask, delivery, waits } = await serial(reading.session.id, async () => {
      for (const left of await leftBehind(store, reading, hook.calledAt ?? now()))
        await reconciler.giveUp(left.id, "moved-on");
      const origin = async () => ({
        ...(await originOf(agent, reading, hook.facts, projectOf)),
        ...(await titles.known(reading.session.id, hook.facts.task)),
        ...(isLate(hook) && { calledAt: hook.calledAt }),
      });
      const caller = { ...hook, channel: wayBackFor(agent, reading) };
      const place = await capture(reading, caller, origin, () => decided(reading, hook));
      // Before its dialog only a question can wait: an allowed tool would run without anybody having seen it.
      const canWait = reading.dialogOpen || !["approval", "plan"].includes(reading.kind);
      const isOpen = hook.waits && canWait && ACTIVE.includes(place.ask.state);
      // In the same turn: another hook may give the delivery its name, and a hold under the old one would be lost.
      if (isOpen) await waiting.note(place.ask.id, place.delivery.key, channel, hook);
      return { ...place, waits: isOpen };
    });
    void context
      .addTo(ask, agent, reading)
      .catch((error: unknown) =>
        log("warn", "what led to a question could not be read", { ask: ask.id, error: String(error) }),
      );
    if (!waits) return NOTHING;
    const { transcript } = reading.session;
    // While a person thinks, not when the answer is on its way.
    const version = transcript === undefined ? undefined : agent.record?.versionOf(transcript);
    const { task } = hook.facts;
    const again = task !== undefined && delivery.state === "sent" && (await tasks.startedFor(task, ask.id));
    const payload = JSON.stringify(hook.payload ?? null);
    const hold = { call: hook.call, ask: ask.id, key: delivery.key, channel, payload, version, again };
    return { later: waiting.wait(hold, limitOf(ask, hook), gone) };
  }

  /** A dialog that opens only when this hook has ended is not kept from the person for long; a task has none. */
  function limitOf({ kind, origin: { subagent, task } }: Ask, { patient }: HookCall): Limit | undefined {
    if (task !== undefined) return undefined;
    if (subagent !== undefined) return { ms: holdMs.subagent(), reason: "subagent" };
    if (kind !== "elicitation" || patient) return undefined;
    return { ms: holdMs.elicitation(), reason: OWN_DIALOG };
  }

  /** Allowed before, when nobody could be told: it is not asked a second time. */
  async function decided(reading: Asked, { facts, call: name }: HookCall): Promise<Decided | undefined> {
    const { match, questions } = reading;
    if (match !== undefined) {
      const wanted = { task: facts.task, call: name, questions, at: now() };
      const allowed = await allowedBefore(tasks.takeGrant, wanted, (before) => before.match === match);
      if (allowed) return allowed;
    }
    return reading.dialogOpen ? grants.decide(reading, facts.task) : undefined;
  }

  const isLate = ({ calledAt = now() }: HookCall) => now() - calledAt > LATE_MS;
  const activeOf = (session: string) => store.list({ session, states: ACTIVE });

  return {
    call,
    async release(released: HookRelease): Promise<void> {
      await tell.giveBack(released.handed ?? [], released.call);
      await waiting.release(released);
    },
    stay: waiting.stay,
    async ack({ handed, output }: HookAck): Promise<void> {
      for (const { ask, key, channel } of handed) {
        if (channel === CORRECTION) continue;
        await inbox.change(ask, (current) => {
          const open = current.deliveries.some((d) => d.key === key && (d.state === "waiting" || channel === "resume"));
          return open && ACTIVE.includes(current.state)
            ? [{ type: "ask.sent", key, channel, ...(output !== undefined && !asksSecret(current) && { output }) }]
            : [];
        });
      }
      for (const ask of new Set(handed.map((part) => part.ask))) void reconciler.follow(ask, 10_000);
    },
  };
}

/** In a container the same words name other files: leave for them is neither given in advance nor taken from such. */
const withoutCall = ({ call: _call, about: _about, change: _change, ...asked }: Asked): Asked => asked;
