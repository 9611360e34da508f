import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { withHub } from "../src/hubs.ts";
import { HUB_PATHS } from "../src/protocol/hub/hub.ts";
import type { News } from "../src/protocol/hub/hub-page.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { create } from "../test/contract/store-sample.ts";
import { noServer, startCluster } from "../test/hub/cluster.ts";
import { openBareTrips, toldText } from "./bare-trips.ts";
import { type Hops, openHops } from "./bare-hops.ts";
import { HUB_PAGE_NOTE, measureHubPage } from "./hub-page.ts";
import { joinStandIn, type StandIn } from "./hub-stand-in.ts";
import { type Line, openLinePatiently } from "./line.ts";
import { atMost, median, ms, p50p99, type Part, percentile, perSecond, type Row } from "./row.ts";
import { cpuMs, lineOf, openStage, residentKb, SOURCE } from "./stage.ts";

const MACHINES = 100;
const ROUNDS = 1000;
const TOGETHER = 20;
/** A hub runs for days: what its first questions cost is not counted, nor what the first ones of its peers do. */
const WARM_UP = 200;
const CROWD = 1000;
const OPEN = 10_000;
const REST_MS = 10_000;
const CLIENTS = 100;
const FOR_MS = 1000;
const TURNS = 9;
const ANSWER = JSON.stringify({ action: "answer", answers: [{ picks: [0] }] });

export const hub: Part = {
  name: "hub",
  about: "a hub on PostgreSQL: ways there and back, connections at rest, many open asks, events a second",
  notes: [
    `Hub: one hub process on a PostgreSQL 15 of its own that writes through to the disk. One real daemon and ${MACHINES - 1} stand-ins that speak the machines' protocol are connected; each stand-in tells one Ask a second or so. Ask → visible: from POST /api/asks at the daemon until a page that follows the hub's news has it. Answer → reply: from POST at the hub until whoever waits at the daemon has the outcome. The next Ask is asked when that page has seen the last one verified and its answer received: nothing of it is still on its way. What is asked of the hub goes over plain sockets, as everywhere here. Bare: a WebSocket message with the same bytes as a stand-in's that is committed in one row before it is answered, in a process of its own, with the same server and as much said on 99 other connections, in turns with the hub, 20 and 20. Bare hops: two processes where one writes what it is sent into SQLite, the other into PostgreSQL, each a row with its fsync before the next hears of it, and whoever waits there is answered; no checks, no roles, no log; in the same turns. Of each the first ${WARM_UP} rounds are not counted. At rest the ${CROWD.toLocaleString("en")} connections are stand-ins that only beat. Bare batched inserts: an event and its Ask, the same bytes as rows that are ready, with an index each, in one transaction for what arrived meanwhile; no counter, no versions, no reading of what stands, no other tables.`,
    HUB_PAGE_NOTE,
  ],
  async run(say) {
    if (noServer !== undefined) throw new Error(noServer);
    const cluster = await startCluster({ durable: true });
    const stage = await openStage();
    const ends: (() => void)[] = [];
    try {
      await stage.start();
      const hubProcess = Bun.spawn([...SOURCE, "hub", "--database", cluster.url, "--listen", "127.0.0.1:0", "--json"], {
        env: stage.env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      ends.push(() => hubProcess.kill("SIGKILL"));
      const { url, firstMemberLink } = JSON.parse(await lineOf(hubProcess.stdout)) as {
        url: string;
        firstMemberLink: string;
      };
      const admin = <T>(work: Parameters<typeof withHub<T>>[1]) => withHub({ database: cluster.url }, work);
      const { token } = await admin((each) => each.token({ member: "Ann", role: "answerer" }));
      const codes = await admin(async (each) => {
        const made: string[] = [];
        for (let i = 0; i <= CROWD; i++) made.push((await each.code(3_600_000)).code);
        return made;
      });

      say("bare round trip");
      const bareTrips = await openBareTrips(cluster.url, MACHINES);
      ends.push(bareTrips.stop);
      const hops = await openHops(cluster.url, join(stage.root, "hops.db"), toldText());
      ends.push(hops.stop);

      say(`one daemon and ${MACHINES - 1} stand-ins`);
      const project = join(stage.root, "project");
      mkdirSync(project);
      const line = await stage.open();
      const { human, agent } = stage.tokens();
      const joined = await line.send(
        "POST",
        "/api/hub/join",
        human,
        JSON.stringify({ url, code: codes.pop(), projects: [project] }),
      );
      if (joined.status !== 200) throw new Error(`the daemon did not join: ${joined.status}`);
      const crowd: StandIn[] = [];
      const grow = async (to: number) => {
        while (crowd.length < to) crowd.push(await joinStandIn(url, codes.pop() ?? "", crowd.length));
      };
      ends.push(() => crowd.forEach((each) => each.close()));
      await grow(MACHINES - 1);
      const bareTimes: number[] = [];
      const hopTimes: Hops = { there: [], back: [] };
      const there: number[] = [];
      const back: number[] = [];
      const { hostname, port } = new URL(url);
      const at = { hostname, port: Number(port) };
      const person = await openLinePatiently(at);
      const question = {
        question: "Which?",
        header: "Which",
        multiSelect: false,
        options: ["A", "B"].map((label) => ({ label, description: "It" })),
      };
      const body = JSON.stringify({ questions: [question], origin: { agent: "script", cwd: project } });
      const page = followNews(await openLinePatiently(at), token);
      ends.push(page.stop);
      let busy: Timer | undefined;
      for (let round = 0; round < ROUNDS; round++) {
        // Beside each other: what else the machine does is the same for both.
        if (round % TOGETHER === 0) {
          clearInterval(busy);
          bareTimes.push(...(await bareTrips.run(TOGETHER)));
          const hopped = await hops.run(TOGETHER);
          hopTimes.there.push(...hopped.there);
          hopTimes.back.push(...hopped.back);
          busy = setInterval(() => void crowd[Math.floor(Math.random() * crowd.length)]?.tell(), 1000 / MACHINES);
        }
        const from = performance.now();
        const { id } = JSON.parse((await line.send("POST", "/api/asks", agent, body)).body) as { id: string };
        there.push((await page.seen(id)) - from);
        const waits = line.send("GET", `/api/asks/${id}/answer?wait=60000`, agent);
        const given = performance.now();
        const sent = person.send("POST", `${HUB_PATHS.asks}/${id}/answer`, token, ANSWER);
        const reply = await waits;
        back.push(performance.now() - given);
        if ((await sent).status !== 200) throw new Error(`the hub took no answer: ${(await sent).status}`);
        if (reply.status !== 200) throw new Error(`no answer: ${reply.status}`);
        await page.over(id);
      }
      clearInterval(busy);
      page.stop();

      say(`${CROWD} connections at rest`);
      const before = residentKb(hubProcess.pid);
      await grow(CROWD - 1);
      const cpu = cpuMs(hubProcess.pid);
      await Bun.sleep(REST_MS);
      const share = (cpuMs(hubProcess.pid) - cpu) / REST_MS;
      const resting = residentKb(hubProcess.pid);

      say(`${OPEN} open asks`);
      for (let i = 0; i < OPEN; i += 100) await crowd[(i / 100) % crowd.length]?.tell(100);
      const listed: number[] = [];
      for (let i = 0; i < 10; i++) {
        const from = performance.now();
        JSON.parse((await person.send("GET", `${HUB_PATHS.asks}?state=open&limit=500`, token)).body);
        listed.push(performance.now() - from);
      }

      say("its page");
      const opened = await measureHubPage(firstMemberLink, OPEN);

      say("events a second");
      const [ours, plain] = await rates(cluster.url);
      const warm = (times: readonly number[]) => times.slice(WARM_UP);
      const p50 = percentile(warm(bareTimes), 0.5);
      const way = (what: string, times: number[], hopped: number[]): Row => ({
        what: `${what}, ${MACHINES} machines (p50 / p99)`,
        measured: `${p50p99(times)} (${(percentile(times, 0.5) / p50).toFixed(1)} ×)`,
        beside: `WebSocket and commit: ${p50p99(warm(bareTimes))}; bare hops: ${p50p99(hopped)}`,
        aim: "≤ 3 × p50",
        ...atMost(percentile(times, 0.5), 3 * p50),
      });
      return [
        way("ask on a daemon → visible in the hub", warm(there), warm(hopTimes.there)),
        way("answer in the hub → whoever waits at the daemon", warm(back), warm(hopTimes.back)),
        {
          what: `hub at rest, ${CROWD.toLocaleString("en")} machines connected`,
          measured: `${(100 * share).toFixed(1)} % of a core, ${Math.round(before / 1024)} MB with ${MACHINES}, ${Math.round(resting / 1024)} MB`,
        },
        {
          what: `500 of ${OPEN.toLocaleString("en")} open asks listed by the hub`,
          measured: ms(median(listed)),
          aim: "≤ 1 s",
          ...atMost(median(listed), 1000),
        },
        ...opened,
        {
          what: "events/s, the PostgreSQL store",
          measured: `${perSecond(ours)} (${Math.round((100 * ours) / plain)} %)`,
          beside: `bare batched inserts: ${perSecond(plain)}`,
          aim: "≥ 70 %",
          met: ours >= 0.7 * plain,
        },
      ];
    } finally {
      ends.forEach((end) => end());
      await stage.dispose();
      await cluster.remove();
    }
  },
};

/** What an open page does: it holds a request for news, and the next one as soon as there were some. */
function followNews(line: Line, token: string) {
  const when = new Map<string, number>();
  const waits = new Map<string, (at: number) => void>();
  const ended = new Map<string, PromiseWithResolvers<void>>();
  const endOf = (id: string) => ended.get(id) ?? ended.set(id, Promise.withResolvers<void>()).get(id);
  let isOver = false;
  const follow = async () => {
    for (let cursor: string | undefined; !isOver;) {
      const body = JSON.stringify(cursor === undefined ? {} : { cursor });
      const news = JSON.parse((await line.send("POST", HUB_PATHS.news, token, body)).body) as News;
      ({ cursor } = news);
      for (const { id, state, intent } of news.asks) {
        if (state === "verified" && intent?.state === "received") endOf(id)?.resolve();
        if (!when.has(id)) when.set(id, performance.now());
        waits.get(id)?.(when.get(id) ?? 0);
      }
    }
  };
  void follow().catch((error: unknown) => isOver || console.error(error));
  return {
    /** When it was there. */
    seen: async (id: string): Promise<number> => when.get(id) ?? new Promise((tell) => waits.set(id, tell)),
    /** Resolves when nothing more happens to it. */
    over: (id: string) => endOf(id)?.promise,
    stop: () => {
      isOver = true;
      line.close();
    },
  };
}

/** The store, and rows that are ready, in turns: events a second. */
async function rates(url: string): Promise<[ours: number, bare: number]> {
  const store = await openPostgres({ url });
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql`CREATE TABLE IF NOT EXISTS bare_events (seq bigserial PRIMARY KEY, at float8, type text, ask text, data text)`;
  await sql`CREATE INDEX IF NOT EXISTS bare_events_ask ON bare_events (ask, seq)`;
  await sql`CREATE TABLE IF NOT EXISTS bare_asks (id text PRIMARY KEY, state text, at float8, data text)`;
  await sql`CREATE INDEX IF NOT EXISTS bare_asks_at ON bare_asks (at, id)`;
  await create(store, { id: "sample" });
  const event = JSON.stringify((await store.events({ ask: "sample" }))[0]?.data ?? {});
  const ask = JSON.stringify((await store.ask("sample")) ?? {});
  let waiting: (() => void)[] = [];
  let isBusy = false;
  async function flush(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const ids = batch.map(() => crypto.randomUUID());
      await sql.begin((say) =>
        Promise.all([
          say`INSERT INTO bare_events (at, type, ask, data)
            SELECT 1, 'ask.captured', * FROM unnest(${ids}::text[], ${ids.map(() => event)}::text[])`,
          say`INSERT INTO bare_asks (id, state, at, data)
            SELECT id, 'open', 1, data FROM unnest(${ids}::text[], ${ids.map(() => ask)}::text[]) AS row (id, data)`,
        ]),
      );
      batch.forEach((done) => done());
    }
    isBusy = false;
  }
  const ours: number[] = [];
  const bare: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await rateOf(() => create(store, { id: crypto.randomUUID() })));
    bare.push(await rateOf(() => new Promise<void>((done) => (waiting.push(done), setImmediate(() => void flush())))));
  }
  await store.close();
  await sql.end();
  return [median(ours), median(bare)];
}

async function rateOf(once: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  let count = 0;
  const lanes = Array.from({ length: CLIENTS }, async () => {
    for (; performance.now() - from < FOR_MS; count++) await once();
  });
  await Promise.all(lanes);
  return (count * 1000) / (performance.now() - from);
}
