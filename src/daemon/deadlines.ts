import type { Ask } from "../core/ask.ts";
import type { AskEvent, LogEvent } from "../core/event.ts";
import { settle } from "../core/settle.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";

/** The longest time a timer can wait; a later deadline is looked at again then. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends Asks whose asker set a time, the way the asker said. Nothing is chosen that was not stated beforehand. */
export function createDeadlines({ store, inbox, now }: { store: Store; inbox: Inbox; now: Clock }) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function schedule({ id, deadline, outcome }: Ask): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (!deadline || outcome) return;
    const wait = Math.min(Math.max(deadline.at - now(), 0), LONGEST_MS);
    timers.set(
      id,
      setTimeout(() => void due(id), wait),
    );
  }

  async function due(id: string): Promise<void> {
    const ask = await store.ask(id);
    if (!ask?.deadline || ask.outcome) return;
    if (ask.deadline.at > now()) return schedule(ask);
    await inbox.change(id, (current) => (current.outcome ? [] : [ended(current, now())]));
  }

  const leave = store.onCommit((events) => {
    for (const event of events)
      if (isAboutTime(event) && event.ask) void store.ask(event.ask).then((ask) => ask && schedule(ask));
  });
  return {
    async start(): Promise<void> {
      for (const ask of await store.list({ states: ["open"], limit: 100_000 })) schedule(ask);
    },
    stop(): void {
      leave();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

const isAboutTime = ({ type }: LogEvent) => ["ask.captured", "ask.settled", "ask.closed", "ask.ended"].includes(type);

function ended(ask: Ask, at: number): AskEvent {
  const reason = "nobody answered in the time its asker set";
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
