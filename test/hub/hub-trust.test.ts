import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createProgram, UNTIL_STARTED } from "../e2e/program.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { hostileHub } from "./hostile-hub.ts";

setDefaultTimeout(TEST_MS);
const SIGNED = { id: "p1", two: false, signed: true, project: null, kind: null, stake: null };
const YES = { action: "answer" as const, answers: [{ picks: [0] }] };
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A machine of its own, with a folder that it shares. */
function newMachine() {
  const machine = createProgram();
  ended.push(() => machine.dispose());
  const project = join(machine.user, "project");
  mkdirSync(project);
  const state = async () => JSON.parse((await machine.parley(["join", "--json"])).out);
  return { machine, project, state };
}

function newHub(trust: object, more: object = {}) {
  const hub = hostileHub(trust, more);
  ended.push(hub.stop);
  return hub;
}

test("[TP8] a machine that leaves has left, whatever its hub says meanwhile", async () => {
  const hub = newHub({ keys: [], policies: [] });
  const { machine, project, state } = newMachine();
  for (let round = 0; round < 3; round++) {
    const joined = await machine.parley(["join", hub.url, "--code", `c${round}`, "--project", project, "--yes"]);
    expect(joined).toMatchObject({ code: 0, err: "" });
    await eventually(async () => expect((await state()).state).toBe("connected"));
    // Always something new: each is written down by the machine.
    for (let n = 0; n < 500; n++)
      hub.say({ type: "beat", trust: { keys: [], policies: [{ ...SIGNED, project: `p${round} ${n}` }] } });
    expect(await machine.parley(["leave"])).toMatchObject({ code: 0 });
    expect([await state(), existsSync(machine.paths.hub)]).toEqual([{ joined: false }, false]);
  }
});

test("[TP9] what the hub has dropped is shown to be accepted after the daemon started again, too", async () => {
  const hub = newHub({ keys: [], policies: [SIGNED] });
  const { machine, project, state } = newMachine();
  await machine.parley(["join", hub.url, "--code", "c", "--project", project, "--yes"]);
  await eventually(async () => expect((await state()).state).toBe("connected"));
  hub.say({ type: "beat", trust: { keys: [], policies: [] } });
  const dropped = async () => ((await state()).trust.demands as { dropped: boolean }[]).map((each) => each.dropped);
  await eventually(async () => expect(await dropped()).toEqual([true]));
  await machine.kill9();
  await machine.start();
  expect(await dropped()).toEqual([true]);
  const shown = (await machine.parley(["join"])).out;
  const [, mark = ""] = /any more, but here:\n {2}(\S+) {2}a signature: everything\n/.exec(shown) ?? [];
  expect((await machine.parley(["join", "--accept", mark])).out).toStartWith("✓ accepted\n");
  expect((await state()).trust).toBeUndefined();
});

test("[TP10] a job that its hub sends away while it runs, and lets in again, demands what it demanded before", async () => {
  const hub = newHub({ keys: [], policies: [SIGNED] }, { projects: ["project"] });
  const { machine, project, state } = newMachine();
  const env = { ...UNTIL_STARTED, PARLEY_HUB: hub.url, PARLEY_HUB_MACHINE_TOKEN: "pm_a-token-of-a-job" };
  expect(await machine.parley(["up"], { env })).toMatchObject({ code: 0, err: "" });
  const first = await eventually(async () => {
    const found = await state();
    expect(found).toMatchObject({ state: "connected", trust: { demands: [{ words: "a signature: everything" }] } });
    return found;
  });
  hub.tellJoining({ keys: [], policies: [] });
  hub.end(4401);
  await eventually(async () => {
    const found = await state();
    expect(found).toMatchObject({ joined: true, state: "connected" });
    expect(found.machine.id).not.toBe(first.machine.id);
  });
  expect((await state()).trust).toMatchObject({ demands: [{ words: "a signature: everything", dropped: true }] });
  const asked = machine.spawn(["ask", "Deploy?", "-o", "Yes", "-o", "No"], { cwd: project });
  const id = await eventually(() => {
    const [told] = [...hub.asks.keys()];
    if (told === undefined) throw new Error("not told yet");
    return told;
  });
  hub.say({ type: "intent", n: 1, ask: id, member: { id: "ada", name: "Ada" }, at: 1, settlement: YES });
  expect(await hub.receipt(1)).toMatchObject({
    state: "withdrawn",
    detail: expect.stringContaining("none of Ada came with it"),
  });
  asked.kill();
});
