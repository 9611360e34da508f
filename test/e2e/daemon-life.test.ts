import { afterEach, beforeEach, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { isAlive } from "../../src/machine/process/process.ts";
import { ANSWER, question, request } from "./api-request.ts";
import { createProgram, holds, type Program, UNTIL_STARTED } from "./program.ts";
import { eventually } from "../patience.ts";

let program: Program;
beforeEach(() => {
  program = createProgram();
});
afterEach(() => program.dispose());

const create = () => program.client("agent").call("createAsk", { body: { questions: [question()] } });
const logged = async () =>
  (await Bun.file(program.paths.log).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { level: string; message: string });

test("[D5] a home has one daemon: a second one says so and ends well", async () => {
  await program.start();
  const second = await program.parley(["serve"]);
  expect(second).toEqual({
    code: 0,
    out: "",
    err: `Parley is already running for ${program.home}. See: parley status\n`,
  });
  expect(await program.parley(["serve", "--detached"])).toEqual({ code: 0, out: "", err: "" });
  expect((await program.client().call("status")).pid).toBe(program.registration().process.pid);
});

test("[D6] however many start it at once, there is one daemon, and all find it", async () => {
  const ups = await Promise.all(
    Array.from({ length: 10 }, () => program.parley(["up", "--json"], { env: UNTIL_STARTED })),
  );
  expect(ups.map(({ code, err }) => [code, err])).toEqual(ups.map(() => [0, ""]));
  const pids = ups.map(({ out }) => (JSON.parse(out) as { pid: number }).pid);
  expect(new Set(pids)).toEqual(new Set([program.registration().process.pid]));
  expect((await logged()).filter(({ message }) => message === "started")).toHaveLength(1);
});

test("[D7] in the foreground it says where it runs, and ends with a signal", async () => {
  const child = program.spawn(["serve"]);
  const out = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await out.read();
  expect(value).toBe(`Parley is running at ${program.url()} (home: ${program.home})\n`);
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
  expect(program.registration().state).toBe("ended");
  expect(await program.parley(["status"])).toMatchObject({ code: 3, out: expect.stringContaining("(not started)") });
});

test("[D8] status tells that a daemon was killed, and starts nothing", async () => {
  await program.start();
  const { id } = await create();
  const before = program.registration();
  await program.kill9();
  expect(await program.parley(["status"])).toEqual({
    code: 3,
    out: "Parley is not running (it was killed). Start it: parley up\n",
    err: "",
  });
  expect(program.registration()).toEqual(before);

  // Any command starts it again; whoever knew the tokens still does.
  const ls = await program.parley(["ls", "--json"]);
  expect([ls.code, ls.err]).toEqual([0, ""]);
  expect(ls.out).toContain(id);
  const after = program.registration();
  expect(after.tokens).toEqual(before.tokens);
  expect([after.state, after.process.pid === before.process.pid]).toEqual(["running", false]);
  expect(after.instance).not.toBe(before.instance);
});

test("[D9] a registration whose pid is another process by now is of a killed daemon", async () => {
  await program.start();
  await program.kill9();
  const stale = { ...program.registration(), process: { pid: process.pid, started: "1" } };
  await Bun.write(program.paths.registration, JSON.stringify(stale));
  expect((await program.parley(["status"])).out).toContain("(it was killed)");
  expect(await program.parley(["down", "--force"])).toMatchObject({ code: 0, out: "Parley was not running\n" });
  expect(isAlive({ pid: process.pid })).toBe(true);
});

test("[D10] what was stopped on purpose is started by nobody but a person", async () => {
  await program.start();
  const { tokens, process: daemon } = program.registration();
  const down = await program.parley(["down"]);
  expect(down).toEqual({ code: 0, out: "Parley is stopped. Start it again: parley up\n", err: "" });
  expect(isAlive(daemon)).toBe(false);

  const words = "✗ Parley was stopped with `parley down`. Start it: parley up\n";
  for (const command of [["ls"], ["log"], ["show", "x"]])
    expect(await program.parley(command)).toEqual({ code: 69, out: "", err: words });
  expect(await program.parley(["hook", "PreToolUse"], { stdin: "{}" })).toEqual({ code: 0, out: "", err: "" });
  expect(await program.parley(["status"])).toMatchObject({
    code: 3,
    out: expect.stringContaining("stopped on purpose"),
  });
  expect(await program.parley(["down"])).toEqual({ code: 0, out: "Parley was not running\n", err: "" });

  await program.start();
  expect(program.registration()).toMatchObject({ state: "running", tokens });
  expect((await program.parley(["ls"])).code).toBe(0);
});

test("[D11] every create acknowledged before a SIGTERM is there afterwards", async () => {
  await program.start();
  const token = program.tokens().agent;
  const acknowledged: string[] = [];
  const { pid } = program.registration().process;
  await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const via = i % 2 === 0 ? "port" : "socket";
      const body = { questions: [question()] };
      const reply = await request(program, via, "POST /api/asks", { token, body }).catch(() => undefined);
      if (reply?.status !== 200) return;
      acknowledged.push(String(reply.body["id"]));
      if (acknowledged.length === 1) process.kill(pid, "SIGTERM");
    }),
  );
  await program.terminate();
  expect(program.registration().state).toBe("ended");
  expect(acknowledged.length).toBeGreaterThan(0);
  await program.start();
  const { asks } = await program.client().call("listAsks", { query: { limit: 500 } });
  const kept = new Set(asks.map(({ id }) => id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

test("[D12] every answer acknowledged before a SIGKILL is there afterwards", async () => {
  await program.start();
  const asks = await Promise.all(Array.from({ length: 30 }, create));
  const token = program.tokens().human;
  const acknowledged: string[] = [];
  await Promise.all(
    asks.map(async ({ id }) => {
      const body = { action: "answer", answers: ANSWER };
      const sent = request(program, "port", `POST /api/asks/${id}/settle`, { token, body });
      if ((await sent.catch(() => undefined))?.status === 200) acknowledged.push(id);
      if (acknowledged.length === 5) await program.kill9();
    }),
  );
  expect(acknowledged.length).toBeGreaterThanOrEqual(5);
  const { asks: settled } = await program.client().call("listAsks", { query: { state: "settled" } });
  expect(settled.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
});

test("[D13] a command that meets a daemon on its way out waits for it and starts the next", async () => {
  // It must still be on its way out when it is met: a busy machine may come too late for that.
  await eventually(async () => {
    await program.start();
    const { process: daemon } = program.registration();
    // A request that never becomes whole keeps the daemon for a moment.
    const stuck = connect(program.paths.socket);
    await once(stuck, "connect");
    stuck.write("POST /api/prune HTTP/1.1\r\nHost: parley\r\nContent-Length: 10\r\n");
    stuck.write(`Authorization: Bearer ${program.tokens().human}\r\n\r\n{`);
    await program.client().call("status");
    process.kill(daemon.pid, "SIGTERM");
    await holds(() => program.registration().state === "ended");
    expect(isAlive(daemon)).toBe(true);
    expect(await program.parley(["ls"])).toMatchObject({ code: 0, err: "" });
    expect(program.registration().process.pid).not.toBe(daemon.pid);
    stuck.destroy();
  });
});
