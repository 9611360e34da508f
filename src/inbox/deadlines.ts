import type { Ask } from "../core/ask/ask.ts";
import type { AskEvent } from "../core/ask/event.ts";
import { GIVES_OUTCOME } from "../core/ask/event-lists.ts";
import { settle } from "../core/ask/settle.ts";
import { duration } from "../core/words/time.ts";
import { eachAsk } from "../store/each-ask.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";

/** The longest time a timer can wait; a later deadline is looked at again then. */
const LONGEST_MS = 2 ** 31 - 1;
/** Timers do not count the time a machine sleeps, nor see its clock being set. */
const JUMP_MS = 2000;
const AGAIN_MS = 1000;

/** Ends Asks whose asker set a time, the way the asker said. Nothing is chosen that was not stated beforehand. */
export function createDeadlines({ store, inbox, now }: { store: Store; inbox: Inbox; now: Clock }) {
  /** `due` is of the clock that never jumps. */
  const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; due: number }>();
  const drift = () => now() - performance.now();
  let known = drift();

  function schedule({ id, deadline, outcome, createdAt }: Ask): void {
    const before = timers.get(id);
    clearTimeout(before?.timer);
    timers.delete(id);
    if (!deadline || outcome) return;
    // The earlier one: a clock that is set back must not make the asker wait longer.
    const left = Math.min(deadline.at - now(), deadline.at - createdAt);
    const due = Math.min(before?.due ?? Infinity, performance.now() + left);
    const wait = Math.min(Math.max(due - performance.now(), 0), LONGEST_MS);
    timers.set(id, { due, timer: setTimeout(() => void expire(id), wait) });
  }

  async function expire(id: string): Promise<void> {
    const ask = await store.ask(id);
    if (!ask?.deadline || ask.outcome) return;
    const { due = 0 } = timers.get(id) ?? {};
    if (due > performance.now()) return schedule(ask);
    await inbox
      .change(id, (current) => (current.outcome ? [] : [ended(current, now())]))
      // As on a full disk: it is owed all the same.
      .catch(() => timers.set(id, { due, timer: setTimeout(() => void expire(id), AGAIN_MS) }));
  }

  const leave = store.onCommit((events) => {
    for (const { type, ask: id, data } of events) {
      const isTimed =
        type === "ask.captured" ? data["deadline"] !== undefined : GIVES_OUTCOME.has(type) && timers.has(id ?? "");
      if (isTimed && id !== undefined) void store.ask(id).then((ask) => ask && schedule(ask));
    }
  });
  async function start(): Promise<void> {
    for await (const ask of eachAsk(store, ["open"])) schedule(ask);
  }
  return {
    start,
    /** To be called now and then: sets every timer anew when the clock has jumped. */
    async look(): Promise<void> {
      if (Math.abs(drift() - known) < JUMP_MS) return;
      known = drift();
      await start();
    },
    stop(): void {
      leave();
      for (const { timer } of timers.values()) clearTimeout(timer);
    },
  };
}

function ended(ask: Ask, at: number): AskEvent {
  const reason = `no answer within ${duration(ask.deadline?.ms ?? (ask.deadline?.at ?? at) - ask.createdAt)}`;
  const choose = ask.deadline?.choose;
  if (choose === undefined)
    return {
      type: "ask.closed",
      outcome: { type: "expired", actor: { type: "system", surface: "timeout" }, at, reason },
    };
  const answers = ask.questions.map((_, i) => ({ picks: i === 0 ? [choose] : [] }));
  return settle(
    ask,
    { action: "answer", answers, reason },
    { type: "rule", surface: "timeout", name: "on-timeout" },
    at,
  );
}
