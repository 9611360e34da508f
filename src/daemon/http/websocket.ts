import { eventText } from "./event-text.ts";
import type { Feed } from "./feed.ts";

/** `over`: the daemon ends, or the browser was signed out. */
export type Subscriber = { after: number; over: AbortSignal; left: AbortController; drained?: () => void };
type Socket = Bun.ServerWebSocket<Subscriber>;

const BEAT_MS = 60_000;
const FULL = -1;

export function createSocketHandlers(feed: Feed): Bun.WebSocketHandler<Subscriber> {
  return {
    maxPayloadLength: 64 * 1024,
    open: (socket) => void speak(socket),
    // Everything that changes something goes over HTTP, where it has a status and an idempotency key.
    message: (socket) => socket.close(1003, "this socket only speaks"),
    drain: (socket) => socket.data.drained?.(),
    close(socket) {
      socket.data.left.abort();
      socket.data.drained?.();
    },
  };

  async function speak(socket: Socket): Promise<void> {
    const { after, over, left } = socket.data;
    try {
      for await (const events of feed.read(after, AbortSignal.any([left.signal, over]), BEAT_MS))
        for (const event of events) await say(socket, eventText(event));
      socket.close(1001, "the daemon ends; come back with after=<last seq>");
    } catch {
      socket.close(1011, "the log cannot be read; come back with after=<last seq>");
    }
  }
}

/** Resolves when there is room for more, or nobody to talk to any more. */
async function say(socket: Socket, text: string): Promise<void> {
  if (socket.data.left.signal.aborted || socket.send(text) !== FULL) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.data.drained = resolve;
  await promise;
}
