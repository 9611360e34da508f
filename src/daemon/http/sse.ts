import { eventStreamOf } from "./event-text.ts";
import type { Feed } from "./feed.ts";

/** Something is written at least this often: proxies and browsers give up on a silent connection. */
const BEAT_MS = 15_000;

export function eventStream(feed: Feed, after: number, gone: AbortSignal): Response {
  return new Response(messages(feed, after, gone), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

/** Bun asks for the next one when the socket has taken the last: seen in 1.4.4. */
async function* messages(feed: Feed, after: number, gone: AbortSignal): AsyncGenerator<string | Uint8Array> {
  yield ": hello\n\n";
  for await (const events of feed.read(after, gone, BEAT_MS))
    yield events.length === 0 ? ": beat\n\n" : eventStreamOf(events);
}
