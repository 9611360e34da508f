// The peer: POST /rows stores the body with the store's own batch policy; GET /hold never answers; GET /events sends
// what POST /say got to everybody. No checks, no schema, no inbox.
import { join } from "node:path";
import { openBareRows } from "./bare-rows.ts";

const [root = ""] = process.argv.slice(2);
const rows = openBareRows(join(root, "rows.db"), { indexed: true });
const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();

Bun.serve({
  unix: join(root, "peer.sock"),
  async fetch(request, server) {
    server.timeout(request, 0);
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case "/rows":
        await request.json();
        await rows.append();
        return Response.json({ ok: true });
      case "/hold":
        await request.text();
        return new Promise<Response>(() => {});
      case "/events":
        return new Response(subscription(), { headers: { "content-type": "text/event-stream" } });
      case "/say": {
        const bytes = new Uint8Array(await request.arrayBuffer());
        await rows.append();
        for (const listener of listeners) listener.enqueue(bytes);
        return Response.json({ ok: true });
      }
      default:
        return new Response("");
    }
  },
});

function subscription(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      listeners.add(controller);
      controller.enqueue(Buffer.from(": hello\n\n"));
    },
  });
}
