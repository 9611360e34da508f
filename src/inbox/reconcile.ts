import { isNotice } from "../core/ask/channel.ts";
import { agentNamed } from "../agents/agents.ts";
import { changedMark } from "../core/ask/edit.ts";
import { isUnnamed, type Ask, type Delivery } from "../core/ask/ask.ts";
import { needsNoAgent, PARKED } from "../core/ask/ask-state.ts";
import type { AskEvent } from "../core/ask/event.ts";
import { askerOf } from "../core/elicitation/asker.ts";
import { judge, withdraw } from "../core/receipt/judge.ts";
import type { WithdrawnReason } from "../core/ask/outcome.ts";
import type { Received } from "../core/receipt/received.ts";
import { keptMark } from "../core/receipt/send.ts";
import type { Session } from "../core/ask/session.ts";
import { isAlive } from "../machine/process/process.ts";
import { eachAsk } from "../store/each-ask.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";
import type { Log } from "../machine/log.ts";
import { createDoubts, type Found, type Signs, type Verdict } from "./doubts.ts";
import type { AgentRecord, SessionRecord } from "../agents/capability/record.ts";

/** A new tool_result is on disk a moment after the agent acted on it; then nothing more comes. */
const PATIENCE_MS = 3000;
/** Asks in one sweep: the most, and the fewest, however long they take. */
const MOST_AT_ONCE = 500;
const FEWEST_AT_ONCE = 50;
/** A sweep that has looked at enough of them ends then: it begins again in a few seconds. */
const SLICE_MS = 25;
export type Reconciler = ReturnType<typeof createReconciler>;
type Deps = { store: Store; inbox: Inbox; now: Clock; log: Log };

/** Brings Asks in line with the agents' own records: the transcript settles doubt. */
export function createReconciler({ store, inbox, now, log }: Deps) {
  const doubts = createDoubts(now);
  const transcripts = new Map<string, SessionRecord>();
  let round: { after?: string; inUse: Set<string> } = { inUse: new Set() };

  /** Contract: afterwards the Ask says what the transcript says. Answers the Ask as it is then. */
  async function reconcile(id: string, signs: Signs = {}): Promise<Ask | undefined> {
    const ask = await store.ask(id);
    if (!ask || !ACTIVE.includes(ask.state)) return ask;
    const transcript = await transcriptOf(ask);
    await transcript?.refresh();
    if (!transcript) return ask;
    return inbox.change(id, (current) => verdicts(current, transcript, now(), (found) => doubts.judge(found, signs)));
  }

  const sessionOf = async ({ origin }: Ask): Promise<Session | undefined> =>
    origin.session ? store.session(origin.session) : undefined;

  const transcriptOf = async (ask: Ask): Promise<SessionRecord | undefined> => recordIn(ask, await sessionOf(ask));

  function recordIn(ask: Ask, session: Session | undefined, inUse?: Set<string>): SessionRecord | undefined {
    const agent = agentNamed(ask.origin.agent);
    if (!session?.transcript || !agent?.record) return undefined;
    const { name, path, reading } = recordOf(ask, agent.record, session.transcript);
    const open = transcripts.get(name) ?? agent.record.open(path, reading);
    transcripts.set(name, open);
    inUse?.add(name);
    return open;
  }

  /** Looks again until the Ask is done, or the time is over. */
  async function follow(id: string, forMs = PATIENCE_MS, signs: Signs = {}): Promise<Ask | undefined> {
    const until = performance.now() + forMs;
    for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
      const ask = await reconcile(id, signs);
      if (!ask || !ACTIVE.includes(ask.state)) return ask;
      if (performance.now() > until) {
        log("debug", "not followed to its end", { ask: id, why: await whyNot(ask) });
        return ask;
      }
      await Bun.sleep(pause);
    }
  }

  async function whyNot(ask: Ask): Promise<string> {
    if (!(await transcriptOf(ask))) return "no transcript of its session is known";
    const isAwaited = ask.deliveries.some(({ state }) => state === "waiting" || state === "sent");
    return isAwaited ? "the transcript has no result of it yet" : "no delivery of it waits for a result";
  }

  /** The record of its session has these words in what was said to the agent. Undefined: there is none. */
  async function wasTold(ask: Ask, words: string, forMs = 0): Promise<boolean | undefined> {
    const { subagent: _subagent, ...origin } = ask.origin;
    const transcript = await transcriptOf({ ...ask, origin });
    const until = performance.now() + forMs;
    for (let pause = 10; transcript; pause = Math.min(pause * 1.5, 250)) {
      await transcript.refresh();
      if (transcript.wasTold(words)) return true;
      if (performance.now() >= until) return false;
      await Bun.sleep(pause);
    }
    return undefined;
  }

  /** Its record has the call that asked. */
  async function isWrittenDown({ origin, deliveries }: Ask): Promise<boolean> {
    const record = agentNamed(origin.agent)?.record;
    const { transcript } = (origin.session && (await store.session(origin.session))) || {};
    if (!record || transcript === undefined) return false;
    const path = record.pathOf(transcript, origin.subagent);
    const found = await Promise.all(deliveries.map(({ key }) => record.before(path, key)));
    return found.some((before) => before !== undefined);
  }

  function sayUnjudged({ id, outcome }: Ask, key: string, delivery: Delivery | undefined): void {
    const fields = { ask: id, key };
    if (!delivery) log("warn", "a result for which nothing was to be delivered", fields);
    else if (outcome?.type === "withdrawn")
      log("warn", "a result of a question that was given up: nothing to compare it with", fields);
    else log("debug", "a reported result is left to the transcript: an outcome is there", fields);
  }

  async function giveUp(id: string, reason: WithdrawnReason): Promise<void> {
    const ask = await reconcile(id, { isOver: true });
    if (ask?.outcome) log("debug", "not given up: its outcome is there", { ask: id, reason });
    else if (ask && !needsNoAgent(ask)) await inbox.change(id, (current) => listed(withdraw(current, reason, now())));
  }

  /** In a container whose record is not seen here: what its hooks say is all there is. */
  async function isOutOfSight(id: string): Promise<boolean> {
    const ask = await store.ask(id);
    return ask?.origin.container !== undefined && (await transcriptOf(ask)) === undefined;
  }

  /** Does the agent that asked still live? */
  async function sweepOne(id: string): Promise<void> {
    const ask = await reconcile(id);
    const reason = ask && overBecause(ask, await sessionOf(ask));
    if (reason !== undefined) await giveUp(id, reason);
  }

  function overBecause(ask: Ask, session: Session | undefined): WithdrawnReason | undefined {
    const asker = ask.origin.process;
    if (asker && !isAlive({ pid: asker.pid, started: asker.started })) return "agent-exited";
    if (ask.outcome || !session) return undefined;
    if (isNotice(ask) && session.transcript && Bun.file(session.transcript).size > (ask.origin.recordSize ?? 0))
      return "moved-on";
    if (session.endedAt !== undefined && Math.abs(now() - session.endedAt) > PATIENCE_MS) return "session-ended";
    const runs = session.process;
    const isKnown = runs === undefined || (runs.pid === asker?.pid && runs.started === asker.started);
    return isKnown || isAlive(runs) ? undefined : "agent-exited";
  }

  /** Nearly always there is nothing to do for it: that is seen without reading it again. */
  async function isQuiet(ask: Ask): Promise<boolean> {
    const session = await sessionOf(ask);
    const transcript = recordIn(ask, session, round.inUse);
    await transcript?.refresh();
    const found = transcript ? verdicts(ask, transcript, now(), (each) => doubts.judge(each, {})) : [];
    return found.length === 0 && overBecause(ask, session) === undefined;
  }

  return {
    reconcile,
    follow,
    wasTold,
    isWrittenDown,
    giveUp,
    sweepOne,
    /** A hook was told to end, or saw its agent end: that is known of it even where nothing else is. */
    async left(id: string, reason: WithdrawnReason): Promise<void> {
      if (await isOutOfSight(id)) await giveUp(id, reason);
    },
    /** The session goes on, so what it wanted attention for is over. */
    async attended(session: string): Promise<void> {
      const active = await store.list({ session, states: ["open"] });
      for (const ask of active) if (isNotice(ask)) await giveUp(ask.id, "moved-on");
    },
    /** What a hook reports as the tool's result. It settles an open Ask; for one that we answered only the transcript is proof. */
    async report(id: string, key: string, received: Received, isRecord = false): Promise<void> {
      const isAll = isRecord || (await isOutOfSight(id));
      const ask = await inbox.change(id, (current) => {
        const delivery = current.deliveries.find((d) => d.key === key);
        doubts.reported(id, key);
        if (isSelfMade(current, received)) return [];
        if (delivery && isAll) return listed(judge(current, delivery, received, now()));
        if (!delivery || current.outcome) sayUnjudged(current, key, delivery);
        return current.outcome || !delivery ? [] : listed(judge(current, delivery, received, now()));
      });
      if (ACTIVE.includes(ask.state)) await follow(id);
    },
    /**
     * The next ones that are not done: what does the transcript say, does the agent live? Not all of them each time:
     * their hooks tell what happens, and a daemon that holds ten thousand must have a quiet night too.
     */
    async sweep(): Promise<void> {
      let looked = 0;
      const since = performance.now();
      const isEnough = () =>
        looked >= MOST_AT_ONCE || (looked >= FEWEST_AT_ONCE && performance.now() - since > SLICE_MS);
      for await (const ask of eachAsk(store, ACTIVE, round.after)) {
        if (!(await isQuiet(ask))) await sweepOne(ask.id);
        round.after = ask.id;
        looked++;
        if (isEnough()) return;
      }
      for (const name of transcripts.keys()) if (!round.inUse.has(name)) transcripts.delete(name);
      round = { inUse: new Set() };
    },
  };
}

/** Questions of a session share one reader; an approval reads every tool call, from where it was asked on. */
function recordOf(ask: Ask, record: AgentRecord, transcript: string) {
  const path = record.pathOf(transcript, ask.origin.subagent);
  if (ask.match === undefined) return { name: path, path, reading: { tools: false, from: 0 } };
  return { name: `${path} ${ask.id}`, path, reading: { tools: true, from: ask.origin.recordSize ?? 0 } };
}

function verdicts(ask: Ask, transcript: SessionRecord, at: number, doubt: (found: Found) => Verdict): AskEvent[] {
  const waiting = ask.deliveries.filter((d) => d.state === "waiting" || d.state === "sent");
  return waiting.flatMap((delivery) => {
    const isSaid = ask.origin.task !== undefined || agentNamed(ask.origin.agent)?.remote?.tell !== undefined;
    const isTold = isSaid && transcript.wasTold(keptMark(ask));
    if (isTold || transcript.mentions(keptMark(ask))) return toldOnResume(delivery);
    // What its record says of a call that was let go is what we told it, not what a person chose.
    if (delivery.channel === "resume" || (delivery.state === "waiting" && delivery.released === PARKED)) return [];
    const key = keyIn(ask, delivery, transcript);
    const received = transcript.received(key, ask.questions, ask.kind);
    if (!received || isSelfMade(ask, received)) return [];
    // That it ran is no proof of what ran; who is told of a change is told in the same moment.
    const isOpen = ask.outcome?.changed && received.type === "ran" && received.decidedBy !== "person";
    if (isOpen && !transcript.mentions(changedMark(ask))) return [];
    const verdict = doubt({ ask, delivery, received, results: transcript.results(key) });
    return verdict === "wait" ? [] : listed(judge(ask, delivery, received, at, verdict === "seen"));
  });
}

/**
 * In a sandbox nobody is at a terminal, and its agent can write its record and speak as its hooks do: what says that an
 * open Ask was answered or allowed is made up. It stays open until a person answers or its agent is gone.
 */
const isSelfMade = ({ origin, outcome }: Ask, { type }: Received): boolean =>
  origin.sandbox === true && !outcome && (type === "answers" || type === "ran");

/** Also when the hook's own word of it got lost: else the session would be told again each time it is resumed. */
function toldOnResume({ key, channel }: Delivery): AskEvent[] {
  const sent: AskEvent = { type: "ask.sent", key, channel: "resume" };
  const verified: AskEvent = { type: "ask.verified", key, detail: "told to the resumed session" };
  return channel === "resume" ? [verified] : [sent, verified];
}

/** The agent writes its call down at most this long before it calls its hook. */
const HOOK_DELAY_MS = 10_000;

/** A delivery whose id never came is the tool call with these questions, of that time, that no other delivery has. */
function keyIn(ask: Ask, delivery: Delivery, transcript: SessionRecord): string {
  if (!isUnnamed(delivery)) return delivery.key;
  const taken = new Set(ask.deliveries.map((d) => d.key));
  const asked = ask.origin.calledAt ?? ask.createdAt;
  if (ask.kind === "elicitation") return transcript.callOf?.(askerOf(ask), asked) ?? delivery.key;
  const candidates = transcript.keysOf(ask.questions, asked - HOOK_DELAY_MS, ask.match);
  return candidates.find((key) => !taken.has(key)) ?? delivery.key;
}

const listed = <T>(event: T | undefined): T[] => (event === undefined ? [] : [event]);
