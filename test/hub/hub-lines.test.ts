import { expect, setDefaultTimeout, test } from "bun:test";
import { digestOf } from "../../src/hub/digest.ts";
import { trustedProxies } from "../../src/hub/proxy.ts";
import { type LinkState, openLink } from "../../src/hub-link/link.ts";
import { NO_TRUST } from "../../src/hub-link/trust.ts";
import { LINK_ENDS } from "../../src/protocol/hub/hub.ts";
import { openMemory } from "../../src/store/memory.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { type Inside, openInside } from "./hub-inside.ts";

setDefaultTimeout(TEST_MS);
/** As many as a hub keeps of one address, and of all. */
const [OF_ONE, OF_ALL] = [500, 1000];
const MACHINES = 1000;

/** A database that is away while its gate is shut: whoever asks it waits. */
function gatedDatabase() {
  const sqlite = openHubSqlite(":memory:");
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const database: HubDatabase = {
    ...sqlite,
    run: async (...given) => (await gate.promise, sqlite.run(...given)),
    transaction: async (work) => (await gate.promise, sqlite.transaction(work)),
  };
  return { database, shut: () => void (gate = Promise.withResolvers()), open: () => gate.resolve() };
}

/** Real sockets, from addresses that a trusted proxy names. */
function strangers({ hub }: Inside) {
  const dial = async (address: string) => {
    const headers = { authorization: "Bearer nobody", "x-forwarded-for": address };
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}/api/link`, { headers });
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.addEventListener("open", () => resolve(true));
      socket.addEventListener("close", () => resolve(false));
    });
    return { isOpen, socket, closed };
  };
  return {
    dial,
    many: (count: number, address: (i: number) => string) =>
      Promise.all(Array.from({ length: count }, (_, i) => dial(address(i)))),
    /** What whoever comes from there is answered: 400 where a WebSocket would be let in. */
    async knock(address: string) {
      const reply = await fetch(`${hub.url}/api/link`, { headers: { "x-forwarded-for": address } });
      return { status: reply.status, again: reply.headers.get("retry-after") };
    },
  };
}

const metric = async (inside: Inside, who: Record<string, string>, name: string) => {
  const text = await (await fetch(`${inside.hub.url}/metrics`, { headers: who })).text();
  return text.split("\n").find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
};

test("[HU14] while a hub cannot look who dials it keeps so many lines and no more, of one address and in all; who is refused is told to come again", async () => {
  const { database, shut, open } = gatedDatabase();
  const logged: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  let clock = Date.now();
  const own = { proxies: trustedProxies(["127.0.0.1"]), log, now: () => clock };
  await using inside = await openInside(database, undefined, undefined, own);
  const prometheus = await inside.token("prometheus", "viewer", null);
  const { dial, many, knock } = strangers(inside);
  shut();
  const first = await many(OF_ONE, () => "10.0.0.1");
  expect(first.every(({ isOpen }) => isOpen)).toBe(true);
  expect(await knock("10.0.0.1")).toEqual({ status: 503, again: "1" });
  const refused = await dial("10.0.0.1");
  expect([refused.isOpen, Object.values(LINK_ENDS).includes((await refused.closed) as never)]).toEqual([false, false]);
  // What waits for the database is kept there also for whoever hung up.
  for (const { socket } of first) socket.close();
  await Promise.all(first.map(({ closed }) => closed));
  expect(await knock("10.0.0.1")).toMatchObject({ status: 503 });

  // Whoever has one address of the new kind has more of them than anybody can count.
  const others = await many(OF_ALL - OF_ONE - 1, (i) => `2001:db8::${i.toString(16)}`);
  expect(others.every(({ isOpen }) => isOpen)).toBe(true);
  const last = await many(2, (i) => `2001:db8:0:0:${i}::`);
  expect(last.map(({ isOpen }) => isOpen)).toEqual([true, false]);
  expect(await knock("10.9.9.9")).toMatchObject({ status: 503 });
  expect(logged.filter((each) => each.startsWith("lines are refused"))).toHaveLength(1);
  clock += 60_000;
  await knock("10.9.9.9");
  expect(logged.filter((each) => each.startsWith("lines are refused"))).toHaveLength(2);

  open();
  expect(new Set(await Promise.all(others.map(({ closed }) => closed)))).toEqual(new Set([LINK_ENDS.revoked]));
  await eventually(async () => expect(await metric(inside, prometheus, "parley_hub_links_unknown")).toEndWith(" 0"));
  expect(await knock("10.0.0.1")).toMatchObject({ status: 400 });
  const counted = await (await fetch(`${inside.hub.url}/metrics`, { headers: prometheus })).text();
  expect(counted).toMatch(/^parley_hub_links_refused_total\{reason="address"\} 3$/m);
  expect(counted).toMatch(/^parley_hub_links_refused_total\{reason="all"\} 3$/m);
});

test("[HU14] a thousand machines that come at once from one address, some of them refused at first, all get in", async () => {
  const { database, shut, open } = gatedDatabase();
  await using inside = await openInside(database);
  const prometheus = await inside.token("prometheus", "viewer", null);
  const { records, hub } = inside;
  const machines = Array.from({ length: MACHINES }, (_, i) => ({
    machine: { id: `n${String(i).padStart(11, "0")}`, name: `machine ${i}` },
    token: `pm_of-machine-${i}`,
  }));
  for (const { machine, token } of machines) {
    await records.addCode(digestOf(token), Date.now() + 600_000, Date.now());
    await records.join(digestOf(token), { ...machine, token: digestOf(token), projects: ["/x"] }, Date.now());
  }
  shut();
  const store = openMemory();
  const states = new Map<string, LinkState>();
  const seen = new Set<LinkState>();
  const links = machines.map(({ machine, token }) =>
    openLink({
      joined: { url: hub.url, machine, token, projects: [], joinedAt: 0 },
      store,
      giveTask: async () => undefined,
      inbox: {} as never,
      view: (ask) => ask as never,
      log: () => undefined,
      onState: (state) => void (states.set(machine.id, state), seen.add(state)),
      trust: { now: () => NO_TRUST, told: async () => undefined },
    }),
  );
  try {
    await eventually(() => expect(seen).toContain("away"));
    open();
    await eventually(() =>
      expect([...states.values()].filter((state) => state === "connected")).toHaveLength(MACHINES),
    );
    expect(seen).not.toContain("revoked");
    expect(await metric(inside, prometheus, "parley_hub_links")).toBe(`parley_hub_links ${MACHINES}`);
    expect(await metric(inside, prometheus, "parley_hub_links_unknown")).toBe("parley_hub_links_unknown 0");
  } finally {
    open();
    for (const link of links) link.stop();
  }
});
