import type { LogEvent } from "../../core/ask/event.ts";
import { jsonLine } from "../../core/text/json-line.ts";

const texts = new WeakMap<LogEvent, string>();
const streams = new WeakMap<readonly LogEvent[], Uint8Array>();

/** An event as a subscriber gets it. Made once, for subscribers at the same place of the log are given the same event. */
export function eventText(event: LogEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = jsonLine(event).trimEnd();
  texts.set(event, text);
  return text;
}

/** The same for a page of server-sent events. */
export function eventStreamOf(page: readonly LogEvent[]): Uint8Array {
  const known = streams.get(page);
  if (known) return known;
  const text = page.map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${eventText(event)}\n\n`).join("");
  const bytes = new TextEncoder().encode(text);
  streams.set(page, bytes);
  return bytes;
}
