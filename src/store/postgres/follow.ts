import type { LogEvent } from "../../core/ask/event.ts";
import type { Target } from "./line.ts";
import { createWaker } from "./wake.ts";

type Deps = {
  target: Target;
  channel: string;
  /** The log behind this number; empty at its end. */
  read(after: number): Promise<readonly LogEvent[]>;
  tell(events: readonly LogEvent[]): void;
  /** Whoever follows has been told up to here. */
  from: number;
  pollMs: number;
};

/**
 * Tells what is committed, by whichever process, each event once and in the order of the log. Notifications only wake: they
 * may be lost, so a look at the log every `pollMs` is the floor.
 */
export function createFollower({ target, channel, read, tell, from, pollMs }: Deps) {
  let told = from;
  let turn: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let isWoken = false;
  /** Commits of this process under way, and the highest number that was heard meanwhile. */
  let [own, heard] = [0, 0];
  const waker = createWaker({
    target,
    channel,
    pollMs,
    wake: (last) => (last === undefined ? wake() : hear(Number(last))),
  });

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  function say(events: readonly LogEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > told);
    told = fresh.at(-1)?.seq ?? told;
    tell(fresh);
  }

  async function catchUp(): Promise<void> {
    for (let events = await read(told); events.length > 0 && !isStopped; events = await read(told)) say(events);
  }

  /** A number that is one of our own is told by whoever commits it: reading it again would cost as much as writing it. */
  function hear(last: number): void {
    heard = Math.max(heard, last);
    if (own === 0 && heard > told) wake();
  }

  function wake(): void {
    if (isWoken || isStopped) return;
    isWoken = true;
    // What cannot be read now is read at the next look.
    void inTurn(() => {
      isWoken = false;
      return catchUp();
    }).catch(() => undefined);
  }

  const committed = (events: readonly LogEvent[]): Promise<void> =>
    inTurn(async () => {
      const first = events[0]?.seq;
      if (first === undefined) return;
      // What others committed in between comes first.
      if (first > told + 1) await catchUp();
      say(events);
    });

  return {
    /**
     * Contract: when it resolves, what was committed and all before it have been told, or will be at the next look where the
     * log cannot be read just now.
     */
    async during<T>(commit: () => Promise<T>, eventsOf: (done: T) => readonly LogEvent[]): Promise<T> {
      own++;
      try {
        const done = await commit();
        await committed(eventsOf(done)).catch(() => undefined);
        return done;
      } finally {
        own--;
        hear(heard);
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await turn;
      await waker.stop();
    },
  };
}
