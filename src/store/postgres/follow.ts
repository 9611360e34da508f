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
  const waker = createWaker({ target, channel, pollMs, wake });

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

  function wake(): void {
    if (isWoken || isStopped) return;
    isWoken = true;
    // What cannot be read now is read at the next look.
    void inTurn(() => {
      isWoken = false;
      return catchUp();
    }).catch(() => undefined);
  }

  return {
    /** Contract: when it resolves, these and all before them have been told; it throws where the log cannot be read. */
    committed: (events: readonly LogEvent[]): Promise<void> =>
      inTurn(async () => {
        const first = events[0]?.seq;
        if (first === undefined) return;
        // What others committed in between comes first.
        if (first > told + 1) await catchUp();
        say(events);
      }),
    async stop(): Promise<void> {
      isStopped = true;
      await turn;
      await waker.stop();
    },
  };
}
