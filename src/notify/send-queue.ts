import { titleOf } from "../agents/agents.ts";
import type { Ask } from "../core/ask/ask.ts";
import { isSnoozed } from "../core/ask/ask-state.ts";
import type { Notify } from "../core/config/config.ts";
import { describeOutcome } from "../core/words/sentence.ts";
import type { ConfigFiles } from "../machine/config-file.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import { createSerial } from "../machine/serial.ts";
import { createWaits } from "../machine/waits.ts";
import { type Messenger, type Ending, SendError } from "./messenger.ts";
import type { Desktop } from "./desktop.ts";
import type { Ledger, Send } from "../store/ledger.ts";
import type { LinkServer } from "./link-server.ts";
import { linkBase, type Links } from "./links.ts";
import { isMismatch } from "./mismatch-notes.ts";
import { type Note, noteOf } from "./note.ts";
import { quietMs } from "./quiet.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Messenger[];
  desktop: Desktop;
  links: Links;
  linkServer: LinkServer;
  /** `web.address`; empty: the page is for this machine alone. */
  pageAddress: string;
  now: Clock;
  log: Log;
};
export type SendQueue = ReturnType<typeof createSendQueue>;

/** After the first attempt, and after each that failed. */
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];
const PATIENCE_MS = 10_000;
/** No quiet is longer. */
const DAY_MS = 86_400_000;
const LAST_PATIENCE_MS = 1000;

/**
 * Takes what the ledger says is due to the channels, and back again when the Ask is settled.
 * Contract: every step is in the ledger before the next; a send is tried a few times and then given up.
 */
export function createSendQueue(deps: Deps) {
  const { store, config, ledger, channels, desktop, links, linkServer, pageAddress, now, log } = deps;
  const serial = createSerial();
  const waits = createWaits(now);
  const moving = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let adopted = false;

  /** Answers in how long something is due again. Nothing is waited for: `moved` is called after each step. */
  async function run(moved: () => void): Promise<number> {
    if (!adopted) await adopt();
    let next = Infinity;
    for (const send of ledger.sends()) {
      if (isMismatch(send)) continue;
      const name = `${send.ask} ${send.channel}`;
      if (moving.has(name)) continue;
      const ask = await store.ask(send.ask);
      const todo = stepFor(send, ask, now());
      if (todo === "drop") {
        ledger.drop(send);
        waits.drop(name);
      }
      if (todo === "drop" || todo === "wait") continue;
      const pause = PAUSES_MS[send.attempts - 1] ?? DAY_MS;
      const left = send.state === "sent" ? 0 : waits.left(name, send.nextAt, send.nextAt - pause);
      if (left > 0) {
        next = Math.min(next, left);
        continue;
      }
      const step = todo === "send" && ask ? () => sendOut(send, ask) : () => takeBack(send, ask);
      // One at a time on each channel: a crowd of questions is no crowd of processes.
      const work = serial(send.channel, step)
        .catch((error: unknown) => log("error", "notification failed", { ...named(send), error: String(error) }))
        .finally(() => {
          moving.delete(name);
          moved();
        });
      moving.set(name, work);
    }
    return next;
  }

  async function sendOut(send: Send, ask: Ask): Promise<void> {
    const { notify } = (await config.current(ask.origin.cwd)).values;
    const current = await store.ask(ask.id);
    if (!current || current.outcome || isSnoozed(current, now()) || ending.signal.aborted) return;
    const quiet = quietMs(notify, now());
    if (quiet > 0) return ledger.save({ ...send, nextAt: now() + quiet });
    const note = noteFor(current, notify);
    const channel = notify.enabled ? channels.find(({ name }) => name === send.channel) : undefined;
    if (!channel || channel.off(notify, note) !== undefined) return ledger.save({ ...send, state: "failed" });
    const base = linkBase(notify, linkServer.port, pageAddress);
    const made = channel.links && base !== "" ? links.make(note, base, notify) : [];
    await attempt(send, async (signal) => {
      const { ref } = await channel.send(note, made, notify, signal);
      ledger.save({ ...send, state: "sent", attempts: 0, ref });
    });
  }

  async function takeBack(send: Send, ask: Ask | undefined): Promise<void> {
    const { notify } = (await config.current(ask?.origin.cwd)).values;
    const channel = channels.find(({ name }) => name === send.channel);
    const left: Send = send.state === "sent" ? { ...send, state: "leaving", attempts: 0, nextAt: now() } : send;
    ledger.save(left);
    await attempt(left, async (signal) => {
      await channel?.withdraw(left.ref, endingOf(left.ask, ask, now()), notify, signal);
      ledger.drop(left);
    });
  }

  async function attempt(send: Send, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await work(AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)]));
    } catch (error) {
      // Cut off by the end of the daemon: the next one does it.
      if (ending.signal.aborted) return;
      const again = !(error instanceof SendError) || error.again;
      const pause = again ? PAUSES_MS[send.attempts] : undefined;
      const attempts = send.attempts + 1;
      log("warn", pause === undefined ? "notification given up" : "notification will be tried again", {
        ...named(send),
        attempts,
        error: error instanceof SendError ? error.message : "internal",
      });
      ledger.save({ ...send, attempts, ...(pause === undefined ? { state: "failed" } : { nextAt: now() + pause }) });
    }
  }

  /** Buttons of a daemon that was killed: nobody hears them. */
  async function adopt(): Promise<void> {
    adopted = true;
    await quieten();
  }

  async function quieten(): Promise<void> {
    const shown = ledger.sends().filter(({ channel, state }) => channel === "desktop" && state === "sent");
    await Promise.all(
      shown.map(async (send) => {
        const ask = await store.ask(send.ask);
        if (!ask || ask.outcome) return;
        const { notify } = (await config.current(ask.origin.cwd)).values;
        const ref = await desktop.quieten(send.ref, noteFor(ask, notify));
        if (ref !== send.ref) ledger.save({ ...send, ref });
      }),
    );
  }

  function noteFor(ask: Ask, notify: Notify): Note {
    const note = noteOf(ask, titleOf(ask.origin.agent), { buttonsForApprovals: notify.buttons_for_approvals });
    return pageAddress === "" ? note : { ...note, page: `${pageAddress}/#/ask/${ask.id}` };
  }

  return {
    run,
    /** What is on its way gets a moment; the rest is for the next daemon. */
    async stop(): Promise<void> {
      await Promise.race([Promise.allSettled(moving.values()), Bun.sleep(LAST_PATIENCE_MS)]);
      ending.abort();
      await Promise.allSettled(moving.values());
      await quieten();
    },
  };
}

/**
 * What should the agent do? about a notification, as its Ask is now. One that was snoozed leaves the ledger, so that it is
 * announced anew when its time has come.
 */
function stepFor({ state }: Send, ask: Ask | undefined, now: number): "send" | "take back" | "wait" | "drop" {
  const isOpen = ask !== undefined && !ask.outcome && !isSnoozed(ask, now);
  switch (state) {
    case "due":
      return isOpen ? "send" : "drop";
    case "sent":
      return isOpen ? "wait" : "take back";
    case "leaving":
      return "take back";
    case "failed":
      return isOpen ? "wait" : "drop";
  }
}

function endingOf(id: string, ask: Ask | undefined, now: number): Ending {
  if (ask && isSnoozed(ask, now)) return { ask: id, type: "snoozed", words: "Snoozed", at: now };
  if (!ask?.outcome) return { ask: id, type: "gone", words: "The question is gone", at: now };
  return { ask: id, type: ask.outcome.type, words: describeOutcome(ask, now), at: ask.outcome.at };
}

const named = ({ ask, channel }: Send) => ({ ask, channel });
