import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "../../src/lab/poll.ts";

export type LinkEvent = { type: string; properties: Record<string, unknown> };
export type Carried = { event: LinkEvent; call?: { tool: string; input: Record<string, unknown> } };
export type Hello = { agent: string; version: string; pid: number; directory: string; record: string; facts: object };
type Link = { id: string; hello: Hello; send(line: object): void };

export type FakeParley = {
  /** The plugin with the address of this Parley in it. */
  plugin: string;
  links: readonly Link[];
  /** Of all links, in the order of their arrival. */
  carried: readonly Carried[];
  waitFor(type: string, match?: (properties: Record<string, unknown>) => boolean): Promise<Carried>;
  /** Lets the newest link carry out a request inside opencode. */
  request(method: "GET" | "POST", path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Goes away, as a daemon does that is stopped; start() comes back at the same place. */
  stop(): Promise<void>;
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
};

const SOURCE = join(import.meta.dir, "../../src/agents/opencode/plugin.js");

/** As much of Parley as the plugin speaks with: the links on its private socket. */
export function createFakeParley({ up = true } = {}): FakeParley {
  const dir = mkdtempSync(join(tmpdir(), "parley-link-"));
  const [socket, address, plugin] = [join(dir, "socket"), join(dir, "address.json"), join(dir, "parley.js")];
  const token = crypto.randomUUID();
  const links: Link[] = [];
  const carried: Carried[] = [];
  const replies = new Map<string, { status: number; body: unknown }>();
  let server: Bun.Server<undefined> | undefined;
  writeFileSync(address, JSON.stringify({ socket, tokens: { agent: token } }));
  writeFileSync(plugin, readFileSync(SOURCE, "utf8").replace("PARLEY_ADDRESS_FILE", address));

  function open(hello: Hello, gone: AbortSignal): Response {
    const id = crypto.randomUUID();
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        const send = (line: object) => stream.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        const link = { id, hello, send };
        links.push(link);
        gone.addEventListener("abort", () => void links.splice(links.indexOf(link), 1));
        send({ link: id });
      },
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  }

  async function take(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.headers.get("authorization") !== `Bearer ${token}`) return new Response("", { status: 401 });
    if (pathname === "/hook/link") return open((await request.json()) as Hello, request.signal);
    if (!links.some(({ id }) => pathname.startsWith(`/hook/link/${id}/`))) return new Response("", { status: 404 });
    const batch = (await request.json()) as { events?: Carried[]; replies?: { id: string; status: number }[] };
    carried.push(...(batch.events ?? []));
    for (const { id, ...reply } of batch.replies ?? []) replies.set(id, { body: undefined, ...reply });
    return new Response();
  }

  const start = () => {
    // Without this Bun ends a stream on which nothing is sent for ten seconds; its types have it for ports only.
    const patience: object = { idleTimeout: 0 };
    server = Bun.serve({ ...patience, unix: socket, fetch: take });
  };
  const stop = async () => {
    await server?.stop(true);
    links.length = 0;
  };
  if (up) start();

  return {
    plugin,
    links,
    carried,
    waitFor: (type, match = () => true) =>
      poll(() => carried.findLast(({ event }) => event.type === type && match(event.properties)), {
        failure: () => `no ${type} came, only ${JSON.stringify(carried.map(({ event }) => event.type))}`,
      }),
    async request(method, path, body) {
      const link = await poll(() => links.at(-1), { failure: () => "opencode is not linked" });
      const id = crypto.randomUUID();
      link.send({ id, method, path, body });
      return poll(() => replies.get(id), { failure: () => `opencode did not carry out ${method} ${path}` });
    },
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
