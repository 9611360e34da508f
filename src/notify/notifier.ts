import type { Ask } from "../core/ask/ask.ts";
import { isSnoozed } from "../core/ask/ask-state.ts";
import { MATTERS_TO_NOTIFIER } from "../core/ask/event-lists.ts";
import type { Config } from "../core/config/config.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import { createDues } from "../machine/time/dues.ts";
import { eachAsk } from "../store/each-ask.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import type { DigestNotes } from "./digest-notes.ts";
import type { Messenger } from "./messenger.ts";
import type { SendQueue } from "./send/send-queue.ts";
import type { Ledger } from "../store/ledger.ts";
import type { LinkServer } from "./link/link-server.ts";
import { createMismatchNotes } from "./mismatch-notes.ts";
import { createOneLook, type OneLook } from "./one-look.ts";
import { type Noted, routedOf } from "./pace.ts";
import { routeFor } from "./route.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Messenger[];
  sendQueue: SendQueue;
  linkServer: LinkServer;
  now: Clock;
  log: Log;
  noted: Noted;
  digests: DigestNotes;
  heard: (ask: string, messenger: string) => Promise<void>;
};

/** Asked, and nothing has happened to it since: it need not be read to know when to look at it. */
type Fresh = { createdAt: number; cwd: string | undefined; isInPane: boolean };

/** Not before the queue has done its next step. */
const WHEN_MOVED = Infinity;
/** Many changes at once are one look. */
const STIR_MS = 20;
const LINKS_KEPT_MS = 7 * 86_400_000;
/** Who answers later than that is told that the message is not known any more. */
const MESSAGES_KEPT_MS = 90 * 86_400_000;
/** The daemon looks every few seconds anyway. */
const LONGEST_WAIT_MS = 60_000;
/** Nobody is to be told of them yet, and nobody says when that changes: of a crowd so many are looked at again. */
const EACH_MS = 20;
/** They come in groups: a look costs more than an Ask in it. */
const TOGETHER_MS = 1000;
/** What is forgotten after days need not be looked for in every look. */
const FORGET_MS = 60_000;
/** Nothing need have happened here: a clock was set, a message was seen elsewhere. */
const MISMATCHES_MS = 4000;

/**
 * Decides which Asks a person is told about, and when. Contract: nothing waits for it, and whatever goes wrong in it
 * is a line in the log.
 */
export function createNotifier({
  store,
  config,
  ledger,
  channels,
  sendQueue,
  linkServer,
  now,
  log,
  noted,
  digests,
  heard,
}: Deps) {
  const mismatches = createMismatchNotes({ store, config, ledger, channels, now, log, noted, heard });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakeAt = Infinity;
  let looking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const dues = createDues(now);
  let stopped = false;
  /** Open Asks that nobody was told about, and when to look at each. */
  let untold: Map<string, number> | undefined;
  /** Of them those that wait for the queue's next step. */
  const behind = new Set<string>();
  const fresh = new Map<string, Fresh>();
  /** Of them those that no look has seen yet. */
  const arrived = new Set<string>();
  let settings = "";
  let forgotAt = -Infinity;
  let isMismatchDue = true;
  let mismatch = { at: -Infinity, due: -Infinity };
  const off = store.onCommit((events) => {
    for (const { type, ask, at, data } of events)
      if (ask !== undefined && MATTERS_TO_NOTIFIER.has(type)) {
        if (type === "ask.captured") arrive(ask, at, data["origin"] as Ask["origin"]);
        else moved(ask);
        wakeIn(STIR_MS);
      }
  });

  function arrive(id: string, createdAt: number, { cwd, pane }: Ask["origin"]): void {
    fresh.set(id, { createdAt, cwd, isInPane: pane !== undefined });
    untold?.set(id, 0);
    if (untold) arrived.add(id);
  }

  function moved(id: string): void {
    fresh.delete(id);
    arrived.delete(id);
    if (untold) put(id, 0, untold);
    mismatches.look(id);
    isMismatchDue = true;
  }

  function put(id: string, at: number, waiting: Map<string, number>): void {
    waiting.set(id, at);
    if (at === WHEN_MOVED) {
      dues.rest(id);
      behind.add(id);
    } else {
      dues.set(id, at);
      behind.delete(id);
    }
  }

  /** Contract: resolves after a look that began after the call; several calls meanwhile share one. */
  function tick(): Promise<void> {
    if (looking)
      return (next ??= looking.then(() => {
        next = undefined;
        return tick();
      }));
    looking = look()
      .catch((error: unknown) => log("error", "notifications failed", { error: String(error) }))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function look(): Promise<void> {
    if (stopped) return;
    const { notify } = (await config.current()).values;
    linkServer.follow(notify);
    for (const channel of channels) channel.follow?.(notify);
    forget();
    const waiting = (untold ??= await findUntold());
    const isChanged = settings !== (settings = JSON.stringify(notify));
    const ripe = [...dues.take(), ...arrived];
    arrived.clear();
    await considerEach(isChanged ? [...waiting.keys()] : ripe, waiting);
    const sending = await sendQueue.run(() => {
      for (const id of behind) put(id, 0, waiting);
      wakeIn(0);
    });
    let due = Math.min(sending, dues.left());
    due = Math.min(due, (await mismatchesDue(isChanged)) - now());
    due = Math.min(due, (await digests.run(() => wakeIn(0))) - now());
    if (Number.isFinite(due)) wakeIn(due);
  }

  /** What was only asked makes none. */
  async function mismatchesDue(isChanged: boolean): Promise<number> {
    const isLong = performance.now() - mismatch.at > MISMATCHES_MS;
    if (!isMismatchDue && !isChanged && !isLong && mismatch.due > now()) return mismatch.due;
    isMismatchDue = false;
    mismatch = { at: performance.now(), due: now() };
    return (mismatch.due = await mismatches.run());
  }

  function forget(): void {
    if (performance.now() - forgotAt < FORGET_MS) return;
    forgotAt = performance.now();
    ledger.forgetLinks(now() - LINKS_KEPT_MS);
    ledger.forgetMessages(now() - MESSAGES_KEPT_MS);
  }

  /** Those after one that failed are for the next look, as it is itself. */
  async function considerEach(ids: readonly string[], waiting: Map<string, number>): Promise<void> {
    const look = createOneLook(config, channels);
    let done = 0;
    try {
      for (const id of ids) {
        const asked = fresh.get(id);
        const notify = asked && (look.known(asked.cwd) ?? (await look.settingsIn(asked.cwd)));
        // Nothing is waited for from here to its place: a crowd that was just asked costs a moment each.
        const soon = notify && fresh.get(id) === asked ? whenFresh(id, asked, notify, look) : undefined;
        if (soon !== undefined) put(id, soon, waiting);
        else if (waiting.has(id)) await consider(id, waiting, look);
        done++;
      }
    } finally {
      for (const id of ids.slice(done)) if (waiting.has(id)) put(id, 0, waiting);
    }
  }

  async function findUntold(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    // Already now: what is asked meanwhile is not missed.
    untold = found;
    try {
      for await (const ask of eachAsk(store, ["open"])) if (isUntold(ask)) put(ask.id, 0, found);
    } catch (error) {
      untold = undefined;
      throw error;
    }
    return found;
  }

  /** What was told about one that was snoozed is being taken back; it is told anew. */
  function isUntold(ask: Ask): boolean {
    return isSnoozed(ask, now()) || ledger.isLeaving(ask.id) || !ledger.knows(ask.id);
  }

  async function consider(id: string, waiting: Map<string, number>, look: OneLook): Promise<void> {
    put(id, WHEN_MOVED, waiting);
    const again = await announceOne(id, look);
    // Something has happened to it meanwhile, which the next look is for.
    if (waiting.get(id) !== WHEN_MOVED) return;
    if (again !== undefined) return put(id, again, waiting);
    waiting.delete(id);
    behind.delete(id);
    fresh.delete(id);
    dues.drop(id);
  }

  /** When to look at one again to which nothing has happened. Undefined: now. */
  function whenFresh(id: string, asked: Fresh, notify: Config["notify"], { openFor }: OneLook): number | undefined {
    const soon = tooSoon(id, asked.createdAt, notify);
    if (soon !== undefined) return soon;
    return openFor(notify, asked.isInPane).length === 0 ? later() : undefined;
  }

  async function announceOne(id: string, look: OneLook): Promise<number | undefined> {
    const ask = await store.ask(id);
    return ask && !ask.outcome && isUntold(ask) ? announce(ask, look) : undefined;
  }

  function later(): number {
    const at = now() + Math.max(LONGEST_WAIT_MS, (untold?.size ?? 0) * EACH_MS);
    return Math.ceil(at / TOGETHER_MS) * TOGETHER_MS;
  }

  /** When to look again at what nobody is to be told about yet. */
  function tooSoon(id: string, createdAt: number, notify: Config["notify"]): number | undefined {
    // Its project's settings may change; nobody tells us when.
    if (!notify.enabled) return later();
    const at = createdAt + notify.after_seconds * 1000;
    return dues.set(id, at, createdAt) > 0 ? at : undefined;
  }

  /** Answers when to look at it again; undefined: it was announced. */
  async function announce(ask: Ask, { settingsIn, openFor }: OneLook): Promise<number | undefined> {
    const notify = await settingsIn(ask.origin.cwd);
    // Until a time of the clock, as a person said it, or for a while from when it was asked.
    const until = notify.enabled && isSnoozed(ask, now()) ? ask.snoozedUntil : undefined;
    const soon =
      until === undefined ? tooSoon(ask.id, ask.createdAt, notify) : Math.min(until, now() + LONGEST_WAIT_MS);
    if (soon !== undefined) return soon;
    // Nobody is woken for what is about to be answered; if it is not, that is an event.
    if (isInHand(ask)) return later();
    if (ledger.isLeaving(ask.id)) return WHEN_MOVED;
    const routed = routedOf(ask);
    const usable = openFor(notify, ask.origin.pane)
      .filter(({ name }) => routeFor(notify, name, routed))
      .map(({ name }) => name);
    if (usable.length === 0) return later();
    ledger.announce(ask.id, usable, now());
    return undefined;
  }

  /** The earliest wish counts; every look makes its wishes anew. */
  function wakeIn(ms: number): void {
    const wait = Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
    const at = performance.now() + wait;
    if (stopped || at >= wakeAt) return;
    clearTimeout(timer);
    wakeAt = at;
    timer = setTimeout(() => {
      wakeAt = Infinity;
      void tick();
    }, wait);
  }

  return {
    tick,
    async stop(): Promise<void> {
      stopped = true;
      off();
      clearTimeout(timer);
      await looking;
      await Promise.all(channels.map(async (channel) => channel.stop?.()));
      await Promise.all([sendQueue.stop(), digests.stop()]);
      await linkServer.stop();
      ledger.close();
    },
  };
}

const isInHand = ({ autopilot }: Ask) => autopilot?.state === "asking" || autopilot?.state === "held";
