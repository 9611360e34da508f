import { expect, setDefaultTimeout, test } from "bun:test";
import { HUB_PATHS } from "../../src/protocol/hub/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { COMMAND } from "../e2e/program.ts";
import { noServer, startCluster } from "./cluster.ts";
import { openStage, shown } from "./hub-stage.ts";
import { startProxy } from "./proxy.ts";

setDefaultTimeout(TEST_MS);
const NO = { action: "answer" as const, answers: [{ picks: [1] }] };

test("[HD1] told to end, a hub says at /ready that it is leaving and serves requests and machines until the time is over, or it is told again", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub("--drain", "1h");
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub);
  const before = await stage.ask("Deploy?");
  await shown(ann.client, before.id, { machine: { online: true } });
  hub.signal("SIGTERM");
  await eventually(async () => {
    const ready = await fetch(`${hub.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, why: "the hub ends", machines: 1 }]);
  });
  const health = await fetch(`${hub.url}/health`);
  // Whoever keeps a connection makes the next one elsewhere.
  expect([health.status, health.headers.get("connection")]).toEqual([200, "close"]);
  await ann.client.answer(before.id, NO);
  expect(await before.ended).toMatchObject({ code: 0, out: "No\n" });
  // A machine that does not know yet that it is leaving is not turned away.
  await stage.machine.kill9();
  await stage.machine.start();
  const after = await stage.ask("Publish?");
  await shown(ann.client, after.id, { machine: { online: true } });
  await ann.client.answer(after.id, NO);
  expect(await after.ended).toMatchObject({ code: 0, out: "No\n" });
  let code: number | null | undefined;
  void hub.ended().then((ended) => (code = ended));
  // Again, when some time has passed.
  await eventually(() => {
    hub.signal("SIGTERM");
    expect(code).toBe(0);
  });
});

test("[HD2] when the time is over its machines go to the next hub, and it ends with 0", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub("--drain", "200ms");
  const ann = await stage.person(hub, "Ann", "answerer");
  await stage.join(hub);
  expect(await hub.kill("SIGTERM")).toBe(0);
  await hub.start();
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { machine: { online: true } });
  await ann.client.answer(asked.id, NO);
  expect(await asked.ended).toMatchObject({ code: 0, out: "No\n" });
});

test("[HD3] Ctrl-C waits for nobody to go elsewhere, and a page that waits for news is answered", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub("--drain", "1h");
  const { token } = await stage.person(hub, "Ann", "answerer");
  const headers = { authorization: `Bearer ${token}` };
  const news = (cursor?: string) =>
    fetch(`${hub.url}${HUB_PATHS.news}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ cursor }),
    });
  const { cursor } = (await (await news()).json()) as { cursor: string };
  const held = news(cursor);
  await eventually(async () => {
    const metrics = await (await fetch(`${hub.url}/metrics`, { headers })).text();
    expect(metrics).toContain("\nparley_hub_pages_waiting 1\n");
  });
  hub.signal("SIGINT");
  expect([(await held).status, await hub.ended()]).toEqual([200, 0]);
});

test.each([
  ["soon", '--drain: expected a time such as 90s, 10m or 2h, not "soon"'],
  ["2h", '--drain: at most an hour, not "2h"'],
])("[HD4] how long it stays is a time of up to an hour: %s is none", async (drain, words) => {
  await using stage = await openStage();
  const { code, err } = await stage.machine.parley(["hub", "--drain", drain]);
  expect([code, err]).toEqual([2, `✗ ${words}\n`]);
});

test.skipIf(noServer !== undefined)(
  `[HD10] a hub that waits for its database while it starts ends when it is told again, with 0${noServer === undefined ? "" : ` (skipped: ${noServer})`}`,
  async () => {
    const cluster = await startCluster();
    const proxy = await startProxy({ port: cluster.port });
    try {
      await using stage = await openStage();
      const asked = Promise.withResolvers<void>();
      // What it says when it listens already gets no reply.
      let isHeld = false;
      proxy.seen.onClient = (chunk) => {
        isHeld ||= Buffer.from(chunk).includes("INSERT INTO hub_facts");
        if (isHeld) asked.resolve();
        return !isHeld;
      };
      const { machine } = stage;
      const database = `postgresql://parley@127.0.0.1:${proxy.port}/postgres`;
      const hub = Bun.spawn([...COMMAND, "hub", "--database", database, "--listen", "127.0.0.1:0", "--drain", "1h"], {
        cwd: machine.root,
        env: { PATH: process.env["PATH"] ?? "", HOME: machine.user, PARLEY_HOME: machine.home },
        stdio: ["ignore", "ignore", "ignore"],
      });
      await asked.promise;
      await eventually(() => {
        hub.kill("SIGTERM");
        expect(hub.exitCode ?? hub.signalCode).toBe(0);
      });
    } finally {
      proxy.stop();
      await cluster.remove();
    }
  },
);
