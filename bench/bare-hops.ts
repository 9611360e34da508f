// The least that two machines can do: what one has committed the other commits, and whoever waits there hears it; and back.
// `bun bench/bare-hops.ts hub <database URL>`, `bun bench/bare-hops.ts daemon <port of that hub> <file>`.
import { Database } from "bun:sqlite";
import postgres from "postgres";
import { type Line, openLinePatiently } from "./line.ts";
import { BUN, lineOf } from "./stage.ts";

/** Holds who waits until there is something for them; what comes before is kept. */
function createMeeting() {
  let [wakes, kept] = [undefined as ((text: string) => void) | undefined, undefined as string | undefined];
  return {
    give(text: string): void {
      if (!wakes) kept = text;
      wakes?.(text);
      wakes = undefined;
    },
    wait(): Promise<string> {
      const text = kept;
      kept = undefined;
      return text === undefined ? new Promise((resolve) => (wakes = resolve)) : Promise.resolve(text);
    },
  };
}

async function serveHub(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql`CREATE TABLE IF NOT EXISTS bare_hops (id text PRIMARY KEY, data text NOT NULL)`;
  const put = (text: string) => sql`INSERT INTO bare_hops (id, data) VALUES (${crypto.randomUUID()}, ${text})`;
  const news = createMeeting();
  let machine: Bun.ServerWebSocket | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, self) {
      const { pathname } = new URL(request.url);
      if (pathname === "/link") return self.upgrade(request, { data: undefined }) ? undefined : new Response("no");
      self.timeout(request, 0);
      if (pathname === "/news") return new Response(await news.wait());
      const text = await request.text();
      await put(text);
      machine?.send(text);
      return new Response("sent");
    },
    websocket: {
      open: (socket) => void (machine = socket),
      async message(_, text) {
        await put(String(text));
        news.give(String(text));
      },
    },
  });
  console.log(server.port);
}

async function serveDaemon(port: string, file: string): Promise<void> {
  const db = new Database(file);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("CREATE TABLE rows (id INTEGER PRIMARY KEY, data TEXT)");
  const put = db.prepare("INSERT INTO rows (data) VALUES (?)");
  const answers = createMeeting();
  const link = new WebSocket(`ws://127.0.0.1:${port}/link`);
  link.addEventListener("message", ({ data }) => {
    put.run(String(data));
    answers.give(String(data));
  });
  await new Promise((resolve) => link.addEventListener("open", resolve));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, self) {
      self.timeout(request, 0);
      if (request.method === "GET") return new Response(await answers.wait());
      const text = await request.text();
      put.run(text);
      link.send(text);
      return new Response("asked");
    },
  });
  console.log(server.port);
}

export type Hops = { there: number[]; back: number[] };

/** Both processes, and what goes there and back between them with the bytes of `message`. */
export async function openHops(url: string, file: string, message: string) {
  const start = async (...words: string[]) => {
    const child = Bun.spawn([...BUN, import.meta.path, ...words], { stdio: ["ignore", "pipe", "inherit"] });
    return { child, port: Number(await lineOf(child.stdout)) };
  };
  const hub = await start("hub", url);
  const daemon = await start("daemon", String(hub.port), file);
  const lineTo = ({ port }: { port: number }): Promise<Line> => openLinePatiently({ hostname: "127.0.0.1", port });
  const [agent, asker, page, person] = [
    await lineTo(daemon),
    await lineTo(daemon),
    await lineTo(hub),
    await lineTo(hub),
  ];
  return {
    async run(rounds: number): Promise<Hops> {
      const times: Hops = { there: [], back: [] };
      for (let round = 0; round < rounds; round++) {
        const seen = page.send("POST", "/news", "", "{}");
        const asked = performance.now();
        const taken = asker.send("POST", "/ask", "", message);
        await seen;
        times.there.push(performance.now() - asked);
        await taken;
        const heard = agent.send("GET", "/answer", "");
        const given = performance.now();
        const sent = person.send("POST", "/answer", "", message);
        await heard;
        times.back.push(performance.now() - given);
        await sent;
      }
      return times;
    },
    stop(): void {
      [agent, asker, page, person].forEach((each) => each.close());
      hub.child.kill("SIGKILL");
      daemon.child.kill("SIGKILL");
    },
  };
}

if (import.meta.main) {
  const [role, first = "", second = ""] = process.argv.slice(2);
  await (role === "hub" ? serveHub(first) : serveDaemon(first, second));
}
