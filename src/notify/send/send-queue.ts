import { titleOf } from "../../agents/agents.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { isSnoozed } from "../../core/ask/ask-state.ts";
import type { Notify } from "../../core/config/config.ts";
import type { ConfigFiles } from "../../machine/settings/config-file.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../inbox/inbox.ts";
import type { Log } from "../../machine/log.ts";
import { createSerial } from "../../machine/time/serial.ts";
import { createWaits } from "../../machine/time/waits.ts";
import { newDraft } from "../chat/chat-draft.ts";
import { chatView } from "../chat/chat-form.ts";
import { sheetOf } from "../chat/chat-sheet.ts";
import { type Messenger, type Link, SendError } from "../messenger.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Ledger, Send } from "../../store/ledger.ts";
import { createKnownAsks } from "../known-asks.ts";
import type { LinkServer } from "../link/link-server.ts";
import { linkBase, type Links } from "../link/links.ts";
import { type Note, noteOf, withCount } from "../note.ts";
import { createPace, type Noted, type Open } from "../pace.ts";
import type { Desk } from "../route.ts";
import { endingOf, isOfAsk, isStale, staleEnding, stepFor } from "./send-step.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Messenger[];
  desktop: Desktop;
  links: Links;
  linkServer: LinkServer;
  /** `web.address`; empty: the page is for this machine alone. */
  pageAddress: () => string;
  now: Clock;
  log: Log;
  desk: () => Promise<Desk>;
  noted: Noted;
};
export type SendQueue = ReturnType<typeof createSendQueue>;

/** After the first attempt, and after each that failed. */
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];
const LAST_PAUSE_MS = 600_000;
/** About a week, for who is tireless. */
const MOST_ATTEMPTS = 1000;
const PATIENCE_MS = 10_000;
/** No quiet is longer. */
const DAY_MS = 86_400_000;
const LAST_PATIENCE_MS = 1000;

/**
 * Takes what the ledger says is due to the channels, and back again when the Ask is settled.
 * Contract: every step is in the ledger before the next; a send is tried a few times and then given up.
 */
export function createSendQueue(deps: Deps) {
  const { store, config, ledger, channels, desktop, links, linkServer, pageAddress, now, log, desk, noted } = deps;
  const pace = createPace({ ledger, channels, desk, now, noted });
  const asks = createKnownAsks(store);
  const serial = createSerial();
  const waits = createWaits(now);
  const moving = new Map<string, Promise<void>>();
  const ending = new AbortController();
  /** Services that said when they take more. */
  const held = new Map<string, number>();
  let adopted = false;
  const channelOf = (send: Send) => channels.find(({ name }) => name === send.channel);

  /** Answers in how long something is due again. Nothing is waited for: `moved` is called after each step. */
  async function run(moved: () => void): Promise<number> {
    if (!adopted) await adopt();
    let next = Infinity;
    const open: Open[] = [];
    const sends = ledger.sends().filter(isOfAsk);
    asks.only(new Set(sends.map(({ ask }) => ask)));
    for (const send of sends) {
      const name = nameOf(send);
      const isMoving = moving.has(name);
      const ask = await asks.ask(send.ask);
      const todo = stepFor(send, ask, now());
      if (isMoving && todo === "take back") continue;
      if (todo === "drop" && !isMoving) {
        ledger.drop(send);
        waits.drop(name);
      }
      if (todo === "drop" || (todo === "wait" && send.state !== "sent")) {
        if (todo === "wait" && ask) open.push({ send, ask, isReady: false });
        continue;
      }
      const pause = send.attempts === 0 ? DAY_MS : (PAUSES_MS[send.attempts - 1] ?? LAST_PAUSE_MS);
      const own = send.state === "sent" ? 0 : waits.left(name, send.nextAt, send.nextAt - pause);
      const left = isMoving ? 0 : Math.max(own, heldFor(send.channel));
      if (todo !== "take back" && ask) open.push({ send, ask, isReady: !isMoving && left <= 0 });
      if (todo === "wait" && ask && !isMoving && isStale(send, ask, channelOf(send)?.tireless))
        move(send, () => markStale(send), moved);
      if (left > 0 && todo !== "wait") next = Math.min(next, left);
      else if (todo === "take back") move(send, () => takeBack(send, ask), moved);
    }
    const { go, remind, ms } = await pace.plan(open, (await config.current()).values.notify);
    for (const send of go) move(send, () => sendOut(send), moved);
    for (const send of remind) move(send, () => remindOf(send), moved);
    return Math.min(next, ms);
  }

  /** One at a time on each channel: a crowd of questions is no crowd of processes. */
  function move(send: Send, step: () => Promise<void>, moved: () => void): void {
    const name = nameOf(send);
    const work = serial(send.channel, step)
      .catch((error: unknown) => log("error", "notification failed", { ...named(send), error: String(error) }))
      .finally(() => {
        moving.delete(name);
        moved();
      });
    moving.set(name, work);
  }

  /** The Ask, if it still waits. */
  async function waiting({ ask }: Send): Promise<{ ask: Ask; notify: Notify } | undefined> {
    const found = await store.ask(ask);
    if (!found || found.outcome || isSnoozed(found, now()) || ending.signal.aborted) return undefined;
    return { ask: found, notify: (await config.current(found.origin.cwd)).values.notify };
  }

  async function sendOut(send: Send): Promise<void> {
    const current = await waiting(send);
    if (!current) return;
    const { ask, notify } = current;
    const crowd = send.plan.carries ? pace.crowd(send) : [];
    const note = withCount(noteFor(ask, notify), crowd.length);
    const channel = notify.enabled ? channelOf(send) : undefined;
    if (!channel || channel.off(notify, note) !== undefined) return ledger.save({ ...send, state: "failed" });
    const made = linksFor(channel, note, notify);
    // What is out already is not sent again, and is marked even if the rest never goes out.
    let known: Send = send;
    const keep = (ref: Send["ref"]) => ledger.save((known = { ...known, ref }));
    await attempt(
      () => known,
      channel,
      async (signal) => {
        const { ref, detail, to } = await channel.send(note, made, notify, signal, { ref: send.ref, keep });
        const told = now();
        const said = to === undefined ? { words: detail } : { to };
        await noted(send.ask, { messenger: send.channel, step: "sent", ...said });
        const { why: _why, ...before } = send.plan;
        const plan = { ...before, told, ...(note.terminal && { terminal: true as const }) };
        ledger.save({ ...send, state: "sent", attempts: 0, ref, plan });
        await pace.counted(crowd);
      },
    );
  }

  /** Noted before it is said: at most once. Who is not reached by it hears of the question by the next messenger. */
  async function remindOf(send: Send): Promise<void> {
    const current = await waiting(send);
    const channel = channelOf(send);
    if (!current || !channel?.remind) return;
    const { ask, notify } = current;
    const kept: Send = { ...send, plan: { ...send.plan, reminded: now() } };
    ledger.save(kept);
    if (!notify.enabled || channel.off(notify, noteFor(ask, notify)) !== undefined) return;
    const note = withCount(noteFor(ask, notify), pace.crowd(send).length);
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const { ref, detail, to } = await channel.remind(send.ref, note, linksFor(channel, note, notify), notify, signal);
      ledger.save({ ...kept, ref });
      const said = to === undefined ? { words: detail } : { to };
      await noted(send.ask, { messenger: send.channel, step: "reminded", ...said });
    } catch (error) {
      log("warn", "nobody was reminded", {
        ...named(send),
        error: error instanceof SendError ? error.message : "internal",
      });
    }
  }

  /** Noted before it is said: at most once. Who presses an old button is told so too; its end is marked as any other's. */
  async function markStale(send: Send): Promise<void> {
    const current = await waiting(send);
    const channel = channelOf(send);
    if (!current || !channel) return;
    ledger.save({ ...send, plan: { ...send.plan, terminal: true } });
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)]);
    await channel.withdraw(send.ref, staleEnding(send.ask, now()), current.notify, signal);
  }

  function linksFor(channel: Messenger, note: Note, notify: Notify): Link[] {
    const base = linkBase(notify, linkServer.port, pageAddress());
    return channel.links && base !== "" ? links.make(note, base, notify) : [];
  }

  async function takeBack(send: Send, ask: Ask | undefined): Promise<void> {
    const { notify } = (await config.current(ask?.origin.cwd)).values;
    const channel = channelOf(send);
    let left: Send = send.state !== "leaving" ? { ...send, state: "leaving", attempts: 0, nextAt: now() } : send;
    ledger.save(left);
    const keep = (ref: Send["ref"]) => ledger.save((left = { ...left, ref }));
    await attempt(
      () => left,
      channel,
      async (signal) => {
        const how = endingOf(left.ask, ask, now());
        await channel?.withdraw(left.ref, how, notify, signal, keep);
        if (channel?.tireless && ask)
          await noted(left.ask, { messenger: left.channel, step: "marked", words: how.plain });
        ledger.drop(left);
      },
    );
  }

  function heldFor(channel: string): number {
    const until = held.get(channel);
    return until === undefined ? 0 : waits.left(`held ${channel}`, until);
  }

  /** `sent`: what is known of it by then. */
  async function attempt(
    sent: () => Send,
    channel: Messenger | undefined,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    // Said to the one before it in the row.
    if (heldFor(sent().channel) > 0) return;
    try {
      await work(AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)]));
    } catch (error) {
      // Cut off by the end of the daemon: the next one does it.
      if (ending.signal.aborted) return;
      const send = sent();
      const again = !(error instanceof SendError) || error.again;
      if (error instanceof SendError && again && error.afterMs !== undefined) {
        const { afterMs } = error;
        // It is there and takes it later: no attempt that counts, and nothing else goes there before.
        const until = now() + Math.min(Math.max(afterMs, 1000), DAY_MS);
        if (!error.alone) held.set(send.channel, until);
        log("info", "notification waits as long as the service says", { ...named(send), seconds: afterMs / 1000 });
        return ledger.save({ ...send, attempts: 0, nextAt: until });
      }
      const isTireless = channel?.tireless === true && send.attempts < MOST_ATTEMPTS;
      const pause = again ? (PAUSES_MS[send.attempts] ?? (isTireless ? LAST_PAUSE_MS : undefined)) : undefined;
      const attempts = send.attempts + 1;
      log("warn", pause === undefined ? "notification given up" : "notification will be tried again", {
        ...named(send),
        attempts,
        error: error instanceof SendError ? error.message : "internal",
      });
      if (pause === undefined && send.state === "due") {
        const words = error instanceof SendError ? error.message : "it failed";
        await noted(send.ask, { messenger: send.channel, step: "failed", words });
      }
      if (pause !== undefined) ledger.save({ ...send, attempts, nextAt: now() + pause });
      else if (send.state === "due") ledger.save({ ...send, attempts, state: "failed" });
      else ledger.drop(send);
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
    const page = pageAddress() === "" ? undefined : `${pageAddress()}/#/ask/${ask.id}`;
    const allowed = { approvals: notify.buttons_for_approvals, page };
    const chat = { ...chatView(ask, newDraft(ask), titleOf(ask.origin.agent), allowed), version: ask.version };
    const sheet = sheetOf(ask, titleOf(ask.origin.agent), allowed);
    const thread = ask.origin.task ?? ask.origin.session;
    return { ...note, chat, sheet, ...(thread !== undefined && { thread }), ...(page !== undefined && { page }) };
  }

  return {
    run,
    /** What is on its way gets a moment; the rest is for the next daemon. */
    async stop(): Promise<void> {
      asks.stop();
      await Promise.race([Promise.allSettled(moving.values()), Bun.sleep(LAST_PATIENCE_MS)]);
      ending.abort();
      await Promise.allSettled(moving.values());
      await quieten();
    },
  };
}

const nameOf = ({ ask, channel }: Send) => `${ask} ${channel}`;
const named = ({ ask, channel }: Send) => ({ ask, channel });
