import type { Feed } from "./feed.ts";

export type Subscriber = { after: number; leave?: () => void };

export function createSocketHandlers(feed: Feed): Bun.WebSocketHandler<Subscriber> {
  return {
    backpressureLimit: 4 * 1024 * 1024,
    closeOnBackpressureLimit: true,
    maxPayloadLength: 64 * 1024,
    open(socket) {
      socket.data.leave = feed.subscribe(
        socket.data.after,
        (events) => events.every((event) => socket.send(JSON.stringify(event)) !== 0),
        () => socket.close(1013, "too slow; come back with after=<last seq>"),
      );
    },
    // Everything that changes something goes over HTTP, where it has a status and an idempotency key.
    message: (socket) => socket.close(1003, "this socket only speaks"),
    close: (socket) => socket.data.leave?.(),
  };
}
