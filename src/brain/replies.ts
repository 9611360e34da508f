import type { Settlement } from "../core/ask/settle.ts";

/** An answer that came by command; it was checked against the questions where it was given. */
export type CommandReply = { settlement: Settlement; reason?: string | undefined; confidence?: number | undefined };
export type Replies = ReturnType<typeof createReplies>;

/** Answers of brains that reply by command, handed to whoever waits for them. */
export function createReplies() {
  const waiting = new Map<string, (reply: CommandReply) => void>();

  return {
    /** Contract: rejects with the signal's reason; the latest to wait for an Ask gets its answer. */
    async expect(ask: string, signal: AbortSignal): Promise<CommandReply> {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<CommandReply>();
      const stop = () => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      waiting.set(ask, resolve);
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", stop);
        if (waiting.get(ask) === resolve) waiting.delete(ask);
      }
    },
    /** False: nobody waits for an answer to this. */
    take(ask: string, reply: CommandReply): boolean {
      const resolve = waiting.get(ask);
      waiting.delete(ask);
      resolve?.(reply);
      return resolve !== undefined;
    },
  };
}
