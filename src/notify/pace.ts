import type { Ask } from "../core/ask/ask.ts";
import { stakesOf } from "../core/autopilot/stake/stakes.ts";
import type { Notify } from "../core/config/config.ts";
import { moreWords } from "../core/words/messaged-words.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { Ledger, Send } from "../store/ledger.ts";
import type { Messenger } from "./messenger.ts";
import { admit, asksForDesk, type Desk, ownWait, type Routed, turnsOf } from "./route.ts";

/** Writes into the Ask's history whom was told, why not yet, or that it was given up. */
export type Noted = (ask: string, said: Said) => Promise<void>;
export type Said = {
  messenger: string;
  step: "sent" | "waits" | "reminded" | "failed" | "marked";
  to?: string;
  words?: string;
};
/** What is noted of a notification about an open Ask. `isReady`: no pause of its own, and not on its way. */
export type Open = { send: Send; ask: Ask; isReady: boolean };
/** `ms`: in how long it is to be looked at again. */
export type Pace = { go: Send[]; remind: Send[]; ms: number };
type Deps = {
  ledger: Ledger;
  channels: readonly Messenger[];
  desk: () => Promise<Desk>;
  now: Clock;
  noted: Noted;
};

const MINUTE_MS = 60_000;
/** Somebody may come back to the desk, or leave it. */
const LOOK_MS = 30_000;

/** Which of the notifications that are due go out now, by the person's routes. All that it decides is in the ledger. */
export function createPace({ ledger, channels, desk, now, noted }: Deps) {
  async function plan(open: readonly Open[], notify: Notify): Promise<Pace> {
    const isAnyDue = open.some(({ send, isReady }) => isReady && send.state === "due");
    if (!isAnyDue && notify.remind_minutes === 0) return { go: [], remind: [], ms: Infinity };
    const at = asksForDesk(notify) ? await desk() : undefined;
    const found: Pace = { go: [], remind: [], ms: Infinity };
    const turn = new Set<Send>();
    for (const rows of Map.groupBy(open, ({ ask }) => ask.id).values()) {
      const [{ ask } = { ask: undefined }] = rows;
      const isMoved = rows.some(({ send, isReady }) => isReady && (send.state === "due" || isRemindable(send, notify)));
      if (!ask || !isMoved) continue;
      const sends = rows.map(({ send }) => send);
      const ready = new Set(rows.filter(({ isReady }) => isReady).map(({ send }) => send));
      for (const { send, ms, why } of turnsOf(sends, routedOf(ask), notify, now(), at)) {
        if (!ready.has(send)) continue;
        if (ms === 0) turn.add(send);
        else if (ms === Infinity) await end(send, why);
        else {
          await wait(send, why);
          found.ms = Math.min(found.ms, ms, LOOK_MS);
        }
      }
      for (const send of sends.filter((each) => ready.has(each) && isRemindable(each, notify))) {
        const left = (send.plan.told ?? 0) + notify.remind_minutes * MINUTE_MS - now();
        const { ms } = left > 0 ? { ms: left } : ownWait(send, routedOf(ask), notify, now(), at);
        if (ms === 0) found.remind.push(send);
        else found.ms = Math.min(found.ms, ms);
      }
    }
    for (const channel of channels) await letThrough(channel, open, turn, notify.burst, found);
    return found;
  }

  async function letThrough(
    { name, each }: Messenger,
    open: readonly Open[],
    turn: ReadonlySet<Send>,
    burst: number,
    found: Pace,
  ): Promise<void> {
    // Who has waited longest comes first.
    const own = open.filter(({ send }) => send.channel === name).toSorted((a, b) => a.ask.createdAt - b.ask.createdAt);
    const ready = own.flatMap(({ send }) => (turn.has(send) ? [send] : []));
    if (ready.length === 0) return;
    const going = new Set(own.filter(({ isReady, send }) => !isReady && send.state === "due").map(({ ask }) => ask.id));
    const all = own.map(({ send }) => send);
    const { go, carrier, behind, ms } = admit(ready, all, going, each ? 0 : burst, now());
    for (const send of behind)
      if (send.plan.behind !== carrier?.ask || send.plan.counted) {
        const { counted: _counted, ...rest } = send.plan;
        ledger.save({ ...send, plan: { ...rest, ...(carrier && { behind: carrier.ask }) } });
      }
    for (const send of go) {
      const { behind: _behind, counted: _counted, carries: _carries, ...rest } = send.plan;
      const next: Send = { ...send, plan: send === carrier ? { ...rest, carries: true } : rest };
      if (send === carrier) ledger.save(next);
      found.go.push(next);
    }
    found.ms = Math.min(found.ms, ms);
  }

  const isRemindable = ({ state, plan: { told, reminded }, channel }: Send, notify: Notify) =>
    notify.remind_minutes > 0 &&
    state === "sent" &&
    told !== undefined &&
    reminded === undefined &&
    channels.some(({ name, remind }) => name === channel && remind);

  /** Said once for each reason, also over restarts. */
  async function wait(send: Send, why: string): Promise<void> {
    if (send.plan.why === why) return;
    send.plan = { ...send.plan, why };
    ledger.save(send);
    await noted(send.ask, { messenger: send.channel, step: "waits", words: why });
  }

  async function end(send: Send, why: string): Promise<void> {
    ledger.save({ ...send, state: "failed" });
    await noted(send.ask, { messenger: send.channel, step: "failed", words: why });
  }

  /** Those that wait behind it: so many more. */
  const crowd = ({ ask, channel }: Send): Send[] =>
    ledger.sends().filter((each) => each.channel === channel && each.state === "due" && each.plan.behind === ask);

  return {
    plan,
    crowd,
    /** The message is out that says how many they are. */
    async counted(crowded: readonly Send[]): Promise<void> {
      for (const send of crowded) {
        ledger.save({ ...send, plan: { ...send.plan, counted: true } });
        const words = `counted in another message there (${moreWords(crowded.length)})`;
        await noted(send.ask, { messenger: send.channel, step: "waits", words });
      }
    },
  };
}

export function routedOf(ask: Ask): Routed {
  let stakes: readonly string[] | undefined;
  return {
    kind: ask.kind,
    project: ask.origin.project ?? "",
    stakes: () => (stakes ??= stakesOf(ask).map(({ stake }) => stake)),
  };
}
