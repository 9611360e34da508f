import type { Remote } from "../../delivery/remote/remote.ts";
import type { LinkHello } from "../../protocol/link.ts";

/**
 * Says so often that it is there: a line that broke without a word is noticed then. Bun ends a stream on which nothing was
 * said for ten seconds, whatever timeout its request was given (seen in 1.4.4).
 */
const BEAT_MS = 5000;

/** The requests to an agent that is connected, one JSON a line, as long as the connection stands. */
export async function linkStream(remote: Remote, hello: LinkHello, over: AbortSignal): Promise<Response> {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const encoder = new TextEncoder();
  const write = (line: unknown): boolean => {
    try {
      control?.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      return control !== undefined;
    } catch {
      return false;
    }
  };
  const lines: unknown[] = [];
  // What is sent before somebody reads is read first.
  const send = (line: unknown): boolean => (control ? write(line) : lines.push(line) > 0);
  const link = await remote.open(hello, send);
  const beat = setInterval(() => write({}), BEAT_MS);
  const end = () => {
    clearInterval(beat);
    over.removeEventListener("abort", end);
    void remote.close(link.id);
    try {
      control?.close();
    } catch {
      // It was closed from the other side.
    }
  };
  over.addEventListener("abort", end, { once: true });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      control = controller;
      write({ link: link.id });
      for (const line of lines.splice(0)) write(line);
      if (over.aborted) end();
    },
    cancel: end,
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" } });
}
