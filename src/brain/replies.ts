import type { Settlement } from "../core/ask/settle.ts";

/** An answer that came by command; it was checked against the questions where it was given. */
export type CommandReply = {
  settlement: Settlement;
  reason?: string | undefined;
  confidence?: number | undefined;
  /** What it rests on, as the brain wrote it. */
  verdict?: unknown;
};
/** What came by command: an answer, or, before it, whether a person is needed. */
export type Came = { answer?: CommandReply; screening?: { said: unknown } };
export type Replies = ReturnType<typeof createReplies>;
type Waiting = { brain: string; take: (came: Came) => boolean };

/** Replies of brains that reply by command, handed to whoever waits for them. */
export function createReplies() {
  const waiting = new Map<string, Waiting>();

  /** Contract: rejects with the signal's reason; the latest to wait for an Ask gets what its brain says to it. */
  async function wait<Part>(ask: string, brain: string, part: (came: Came) => Part | undefined, signal: AbortSignal) {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Part>();
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    const mine: Waiting = {
      brain,
      take(came) {
        const found = part(came);
        if (found !== undefined) resolve(found);
        return found !== undefined;
      },
    };
    waiting.set(ask, mine);
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", stop);
      if (waiting.get(ask) === mine) waiting.delete(ask);
    }
  }

  return {
    answer: (ask: string, brain: string, signal: AbortSignal): Promise<CommandReply> =>
      wait(ask, brain, ({ answer }) => answer, signal),
    screening: (ask: string, brain: string, signal: AbortSignal): Promise<{ said: unknown }> =>
      wait(ask, brain, ({ screening }) => screening, signal),
    /** False: nobody waits for this of that brain. What another says, which was asked before, is nobody's. */
    take(ask: string, brain: string | undefined, came: Came): boolean {
      const found = waiting.get(ask);
      if (!found || found.brain !== brain || !found.take(came)) return false;
      waiting.delete(ask);
      return true;
    },
  };
}
