import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { connectHub } from "../../src/client/hub-client.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const certificate = (name: string) => join(import.meta.dir, "certificates", name);

test("[HA9] over TLS of a private authority a machine joins, stays and is answered; without its certificate nobody talks to it", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const { url, ...hub } = await stage.startHub(
    "--tls-cert",
    certificate("hub.pem"),
    "--tls-key",
    certificate("hub.key"),
  );
  expect(url.startsWith("https://127.0.0.1:")).toBe(true);
  expect(await stage.join({ url }).catch(String)).toContain("hub_away");
  const wrong = await machine.parley([
    "join",
    url,
    "--code",
    "x",
    "--project",
    ".",
    "--yes",
    "--ca",
    certificate("hub.key"),
  ]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("no certificate")]);
  await stage.join({ url }, machine, stage.project, "--ca", certificate("authority.pem"));
  const ann = await stage.person({ url }, "Ann", "answerer");
  expect(await ann.client.asks({ state: "open" }).catch((error) => error.code)).toBe("hub_away");
  const trusting = await connectHub({ ...ann.env, PARLEY_HUB_CA_FILE: certificate("authority.pem") });
  // The daemon has it too after it was ended.
  await machine.kill9();
  await machine.start();
  const asked = await stage.ask("Deploy?");
  await shown(trusting, asked.id, { machine: { online: true } });
  await trusting.answer(asked.id, { action: "answer", answers: [{ picks: [0] }] });
  expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
  await hub.kill();
});

test("[HA10] metrics are for a token of all projects, and are counts alone; behind a trusted proxy plain HTTP is for it alone", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub("--trusted-proxy", "127.0.0.1");
  const ann = await stage.person(hub, "Ann", "viewer");
  const limited = await stage.person(hub, "Sue", "admin", "--project", "site");
  await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open" });
  const read = (token: string, headers = {}) =>
    fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${token}`, ...headers } });
  expect([(await read("nobody")).status, (await read(limited.token)).status]).toEqual([401, 403]);
  const text = await (await read(ann.token)).text();
  for (const line of [
    'parley_hub_machines{state="online"} 1',
    "parley_hub_asks_open 1",
    "parley_hub_links 1",
    'parley_hub_requests_total{status="401"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  for (const content of ["Deploy", "Ann", stage.project]) expect(text.includes(content)).toBe(false);
  // The proxy says of itself that it was reached in plain text: not by another machine.
  const plain = { "x-forwarded-proto": "http", "x-forwarded-for": "198.51.100.1" };
  expect((await read(ann.token, plain)).status).toBe(403);
  expect((await read(ann.token, { ...plain, "x-forwarded-proto": "https" })).status).toBe(200);
  await eventually(async () => expect((await fetch(`${hub.url}/ready`)).status).toBe(200));
  asked.child.kill();
  await asked.ended;
});

test("[HU8] for how long a question waits is said by the hub's clock, not as its machine told it", async () => {
  await using stage = await openStage();
  const hub = await stage.startHub();
  await stage.join(hub);
  const ann = await stage.person(hub, "Ann", "answerer");
  const { id, ended } = await stage.ask("Deploy?");
  const { sentence } = await shown(ann.client, id, { state: "open" });
  expect(sentence).toStartWith("… waiting for an answer for ");
  await eventually(async () => expect((await ann.client.ask(id)).sentence).not.toBe(sentence));
  await ann.client.answer(id, { action: "answer", answers: [{ picks: [0] }] });
  await shown(ann.client, id, { state: "verified", sentence: expect.stringContaining('received "Yes"') });
  await ended;
});
