import type { Feed } from "./feed.ts";

/** A reader this far behind is gone or stuck; it can come back with its last event id. */
const MOST_BEHIND = 1000;
const HEARTBEAT_MS = 15_000;

export function eventStream(feed: Feed, after: number, gone: AbortSignal): Response {
  let stop = () => {};
  const body = new ReadableStream<string>({
    start(controller) {
      const put = (text: string) => {
        if ((controller.desiredSize ?? 0) < -MOST_BEHIND) return false;
        controller.enqueue(text);
        return true;
      };
      const close = () => {
        stop();
        if (!gone.aborted) controller.close();
      };
      const beat = setInterval(() => put(": beat\n\n") || close(), HEARTBEAT_MS);
      const leave = feed.subscribe(
        after,
        (events) =>
          put(
            events
              .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
              .join(""),
          ),
        () => close(),
      );
      stop = () => {
        clearInterval(beat);
        leave();
      };
      gone.addEventListener("abort", () => stop(), { once: true });
      put(": hello\n\n");
    },
    cancel: () => stop(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}
