import { titleOf } from "../agents/agents.ts";
import type { Ask } from "../core/ask/ask.ts";
import { mismatchesOf } from "../core/receipt/mismatch.ts";
import { safeText } from "../core/text/text.ts";
import type { ConfigFiles } from "../machine/config-file.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import { type Messenger, SendError } from "./messenger.ts";
import type { Ledger, Send } from "../store/ledger.ts";
import { type Note, noteOf } from "./note.ts";
import { routedOf } from "./pace.ts";
import { quietMs } from "./quiet.ts";
import { routeFor } from "./route.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Messenger[];
  now: Clock;
  log: Log;
};

const WORTH_MS = 86_400_000;
const MOST = 100;
const LONGEST = 2000;
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];
const PATIENCE_MS = 10_000;
const MARK = "mismatch ";

/** Rows of the ledger that are about a mismatch, not about a question. */
export const isMismatch = ({ ask }: Pick<Send, "ask">): boolean => ask.startsWith(MARK);

/**
 * A person who has not heard where they answered, within the time a question may wait, that the agent received something
 * else is told like of a question. Contract: once on each channel, also over restarts; tried a few times.
 */
export function createMismatchNotes({ store, config, ledger, channels, now, log }: Deps) {
  /** Answers when to look again. */
  async function run(): Promise<number> {
    const asks = await store.list({ states: ["mismatched"], order: "newest", limit: MOST });
    const due = await Promise.all(asks.filter(isForPerson).map(announce));
    for (const send of ledger.sends().filter(isMismatch)) due.push(await attempt(send, asks));
    return Math.min(Infinity, ...due);
  }

  const isForPerson = ({ outcome }: Ask) =>
    outcome !== undefined && !["agent", "brain"].includes(outcome.actor.type) && outcome.actor.surface !== "api";

  async function announce(ask: Ask): Promise<number> {
    const since = Math.max(...ask.deliveries.map(({ confirmedAt }) => confirmedAt ?? 0));
    if (ask.told || now() - since > WORTH_MS || ledger.knows(`${MARK}${ask.id}`)) return Infinity;
    const { notify } = (await config.current(ask.origin.cwd)).values;
    if (!notify.enabled) return Infinity;
    const at = Math.max(since + notify.after_seconds * 1000, now() + quietMs(notify, now()));
    if (at > now()) return at;
    const routed = routedOf(ask);
    const usable = channels.filter(
      (channel) => channel.off(notify, mismatchNote(ask)) === undefined && routeFor(notify, channel.name, routed),
    );
    ledger.announce(
      `${MARK}${ask.id}`,
      usable.map(({ name }) => name),
      now(),
    );
    return Infinity;
  }

  async function attempt(send: Send, asks: readonly Ask[]): Promise<number> {
    const ask = asks.find(({ id }) => `${MARK}${id}` === send.ask);
    if (!ask) return (ledger.drop(send), Infinity);
    if (send.state !== "due") return Infinity;
    if (send.nextAt > now()) return send.nextAt;
    const { notify } = (await config.current(ask.origin.cwd)).values;
    // Seen meanwhile, or not wanted any more.
    if (ask.told || !notify.enabled) return (ledger.drop(send), Infinity);
    const quiet = quietMs(notify, now());
    if (quiet > 0) return now() + quiet;
    const channel = channels.find(({ name }) => name === send.channel);
    try {
      await channel?.send(mismatchNote(ask), [], notify, AbortSignal.timeout(PATIENCE_MS));
      ledger.save({ ...send, state: "sent" });
      return Infinity;
    } catch (error) {
      const pause = !(error instanceof SendError) || error.again ? PAUSES_MS[send.attempts] : undefined;
      log("warn", "a mismatch was not notified", { ask: ask.id, channel: send.channel, again: pause !== undefined });
      const said = error instanceof SendError ? (error.afterMs ?? 0) : 0;
      const nextAt = now() + Math.max(pause ?? 0, said);
      ledger.save({ ...send, attempts: send.attempts + 1, nextAt, ...(pause === undefined && { state: "failed" }) });
      return pause === undefined ? Infinity : nextAt;
    }
  }

  return { run };
}

function mismatchNote(ask: Ask): Note {
  const title = titleOf(ask.origin.agent);
  const note = noteOf(ask, title, { buttonsForApprovals: false });
  const body = safeText(mismatchesOf(ask, title).join("\n\n"), { max: LONGEST });
  return {
    ...note,
    mismatch: true,
    title: `${note.project}: ${note.agent} received something else`,
    body,
    buttons: [],
  };
}
