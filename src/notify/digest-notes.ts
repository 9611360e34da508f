import type { Notify } from "../core/config/config.ts";
import { type DigestCounts, digestLines, digestTitle } from "../core/words/digest-words.ts";
import { clock } from "../core/words/time.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import type { Log } from "../machine/log.ts";
import type { Ledger, Send } from "../store/ledger.ts";
import type { Store } from "../store/store.ts";
import { type Messenger, type Ref, SendError } from "./messenger.ts";
import type { Note } from "./note.ts";
import { quietMs } from "./quiet.ts";

/** What became of the questions since, by project. */
export type DigestSince = (since: number) => Promise<DigestCounts[]>;
export type DigestNotes = ReturnType<typeof createDigestNotes>;
type Deps = {
  store: Pick<Store, "count">;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Messenger[];
  digest: DigestSince;
  pageAddress: () => string;
  now: Clock;
  log: Log;
};

const DAY_MS = 86_400_000;
/** A machine that was off at its hour tells it later; after that the next one does. */
const LATE_MS = 6 * 3_600_000;
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];
const PATIENCE_MS = 10_000;
const MARK = "digest ";

/**
 * Tells once a day, at the time its person set, what was answered in their place and what waits. Contract: once on each
 * channel, also over restarts and kills; nothing waits for it.
 */
export function createDigestNotes({ store, config, ledger, channels, digest, pageAddress, now, log }: Deps) {
  const moving = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let setting: string | undefined;
  /** A time that is set now is not for the hour that is over. */
  let from = -Infinity;

  /** Answers when to look again; `moved` is called after each step. */
  async function run(moved: () => void): Promise<number> {
    const { notify } = (await config.current()).values;
    if (setting !== undefined && setting !== notify.digest) from = now();
    setting = notify.digest;
    const due = notify.enabled ? announce(notify) : Infinity;
    const waits = ledger
      .sends()
      .filter(isDigest)
      .map((send) => step(send, notify, moved));
    return Math.min(due, ...waits);
  }

  /** Answers when the next one is due. */
  function announce(notify: Notify): number {
    const last = lastAt(notify.digest, now());
    if (last === undefined) return Infinity;
    const name = nameAt(last);
    if (last > from && now() - last < LATE_MS && !ledger.knows(name)) {
      const usable = channels.filter((channel) => isWanted(channel, notify)).map((channel) => channel.name);
      ledger.announce(name, usable, now());
    }
    return nextAt(last);
  }

  function isWanted({ name, off }: Messenger, notify: Notify): boolean {
    const routes = notify.routes.filter(({ messenger }) => messenger === name);
    const isShut = routes.length > 0 && routes.every(({ when }) => when === "never");
    if (isShut || (notify.digest_to.length > 0 && !notify.digest_to.includes(name))) return false;
    return off(notify, noteOf(now(), [], 0)) === undefined;
  }

  function step(send: Send, notify: Notify, moved: () => void): number {
    const at = timeIn(send.ask);
    const name = `${send.ask} ${send.channel}`;
    if (moving.has(name)) return Infinity;
    // Kept for as long as it could be announced again.
    if (!(now() - at < 2 * DAY_MS)) return (ledger.drop(send), Infinity);
    if (send.state !== "due") return Infinity;
    const channel = channels.find((each) => each.name === send.channel);
    if (!notify.enabled || !channel || now() - at > DAY_MS) return (end(send, "it is too late"), Infinity);
    // Whoever began to send it is gone, and this one cannot tell whether it is there.
    if (send.plan.told !== undefined && channel.nameless) return (end(send, "it may be out already"), Infinity);
    const quiet = quietMs(notify, now());
    if (send.nextAt > now() || quiet > 0) return Math.max(send.nextAt, now() + quiet);
    const work = tell(send, at, channel, notify)
      .catch((error: unknown) => log("error", "the digest failed", { channel: send.channel, error: String(error) }))
      .finally(() => {
        moving.delete(name);
        moved();
      });
    moving.set(name, work);
    return Infinity;
  }

  async function tell(send: Send, at: number, channel: Messenger, notify: Notify): Promise<void> {
    const [projects, waiting] = await Promise.all([digest(at - DAY_MS), store.count(["open"])]);
    // Nothing has happened, and nothing waits: nobody is told so.
    if (projects.length === 0 && waiting === 0) return ledger.save({ ...send, state: "sent" });
    let known: Send = { ...send, plan: { ...send.plan, told: now() } };
    ledger.save(known);
    const keep = (ref: Ref) => ledger.save((known = { ...known, ref }));
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const note = noteOf(at, projects, waiting);
      const { ref, detail } = await channel.send(note, [], notify, signal, { ref: send.ref, keep });
      ledger.save({ ...known, state: "sent", ref });
      log("info", "the digest was told", { channel: send.channel, detail });
    } catch (error) {
      // Cut off by the end of the daemon: the next one decides.
      if (ending.signal.aborted) return;
      const { told: _told, ...plan } = known.plan;
      const words = error instanceof SendError ? error.message : "internal";
      const again = !(error instanceof SendError) || error.again;
      if (!again || now() - at > LATE_MS) return end({ ...known, plan }, words);
      const pause = PAUSES_MS[send.attempts] ?? PAUSES_MS.at(-1) ?? 0;
      const said = error instanceof SendError ? (error.afterMs ?? 0) : 0;
      ledger.save({ ...known, plan, attempts: send.attempts + 1, nextAt: now() + Math.max(pause, said) });
      log("warn", "the digest will be told again", { channel: send.channel, error: words });
    }
  }

  function end(send: Send, why: string): void {
    ledger.save({ ...send, state: "failed" });
    log("warn", "the digest was not told", { channel: send.channel, error: why });
  }

  function noteOf(at: number, projects: DigestCounts[], waiting: number): Note {
    const words = digestTitle(projects, waiting);
    const page = pageAddress() === "" ? undefined : `${pageAddress()}/#/answered`;
    const since = `Since ${clock(at - DAY_MS).slice(0, 16)}`;
    const body = [since, ...digestLines(projects), page ?? "See it: parley digest --hours 24"].join("\n");
    const names = { ask: `digest-${nameAt(at).slice(MARK.length, MARK.length + 10)}`, kind: "digest", agent: "Parley" };
    return {
      ...names,
      project: "parley",
      title: `Parley: ${words}`,
      body,
      questions: [],
      buttons: [],
      digest: { words, since: at - DAY_MS, waiting, projects },
      ...(page !== undefined && { page }),
      at,
    };
  }

  return {
    run,
    async stop(): Promise<void> {
      ending.abort();
      await Promise.allSettled(moving.values());
    },
  };
}

const isDigest = ({ ask }: Send) => ask.startsWith(MARK);

/** In the local time of this machine, as a person says it. */
function lastAt(time: string, now: number): number | undefined {
  const [hour, minute] = time.split(":").map(Number);
  if (hour === undefined || minute === undefined) return undefined;
  const at = new Date(now);
  at.setHours(hour, minute, 0, 0);
  if (at.getTime() > now) at.setDate(at.getDate() - 1);
  return at.getTime();
}

function nextAt(last: number): number {
  const at = new Date(last);
  at.setDate(at.getDate() + 1);
  return at.getTime();
}

function nameAt(at: number): string {
  const local = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [local.getFullYear(), two(local.getMonth() + 1), two(local.getDate())].join("-");
  return `${MARK}${day}T${two(local.getHours())}:${two(local.getMinutes())}`;
}

const timeIn = (name: string): number => new Date(name.slice(MARK.length)).getTime();
