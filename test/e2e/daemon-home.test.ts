import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runDaemon } from "../../src/daemon/daemon.ts";
import { pathsIn } from "../../src/machine/home.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { sqlite } from "../../src/store/sqlite/engine.ts";
import { eventually } from "../patience.ts";
import { question, request } from "./api-request.ts";
import { COMMAND, createProgram, type Program, UNTIL_STARTED } from "./program.ts";

let program: Program;
beforeEach(() => {
  program = createProgram();
});
afterEach(() => program.dispose());

const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

test("[D14] nobody else can look into the home, whatever the umask was", async () => {
  const [bun = "", ...rest] = COMMAND;
  const shell = Bun.spawn(["/bin/sh", "-c", 'umask 0; exec "$@"', "sh", bun, ...rest, "up"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
      ...UNTIL_STARTED,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await shell.exited).toBe(0);
  await program.client("agent").call("createAsk", { body: { questions: [question()] } });
  expect([mode(program.home), mode(program.paths.registration)]).toEqual(["700", "600"]);
  const entries = readdirSync(program.home, { recursive: true, encoding: "utf8" });
  expect(entries).toEqual(expect.arrayContaining(["daemon.json", "daemon.log", "daemon.sock", "parley.db"]));
  const visible = entries.filter((name) => (lstatSync(join(program.home, name)).mode & 0o077) !== 0);
  expect(visible).toEqual([]);
});

test("[D15] a home that others can read is refused, and nothing is put there", async () => {
  mkdirSync(program.home);
  for (const [bits, name] of [
    [0o755, "0755"],
    [0o710, "0710"],
    [0o702, "0702"],
  ] as const) {
    chmodSync(program.home, bits);
    const words = `${program.home} has mode ${name}: others can read it; run chmod 700 on it. Parley keeps tokens and answers there.`;
    expect(await program.parley(["up"])).toEqual({ code: 1, out: "", err: `✗ ${words}\n` });
    expect(await program.parley(["serve"])).toMatchObject({ code: 1, out: "", err: expect.stringContaining(words) });
    expect(await program.parley(["hook", "PreToolUse"], { stdin: "{}" })).toEqual({ code: 0, out: "", err: "" });
  }
  expect(readdirSync(program.home)).toEqual([]);
});

test("[D16] a home that is a link or a file is refused", async () => {
  const elsewhere = join(program.root, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, program.home);
  const words = `✗ ${program.home} is not a directory (a link is not followed). Parley keeps tokens and answers there.\n`;
  expect(await program.parley(["up"])).toEqual({ code: 1, out: "", err: words });
  expect((await program.parley(["serve"])).code).toBe(1);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("[D17] a home whose path is too long for a socket works the same", async () => {
  const home = join(program.root, "h".repeat(100));
  const env = { PARLEY_HOME: home };
  const up = await program.parley(["up", "--json"], { env });
  expect([up.code, up.err]).toEqual([0, ""]);
  const { socket } = JSON.parse(up.out) as { socket: string };
  expect(socket).toStartWith("/tmp/parley-");
  expect(mode(join(socket, ".."))).toBe("700");
  expect((await program.parley(["ls"], { env })).code).toBe(0);
  expect((await program.parley(["down"], { env })).code).toBe(0);
  rmSync(join(socket, ".."), { recursive: true });
});

test("[D18] a port that was asked for and is taken is a clear failure", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
  const env = { PARLEY_PORT: String(other.port) };
  const words = `Port ${other.port} (PARLEY_PORT) cannot be used`;
  expect(await program.parley(["serve"], { env })).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  expect(await program.parley(["up"], { env })).toEqual({
    code: 69,
    out: "",
    err: `✗ The daemon did not start. Its log: ${program.paths.log}\n`,
  });
  expect(await Bun.file(program.paths.log).text()).toContain(words);
  expect((await program.parley(["status"])).code).toBe(3);
  await other.stop(true);
  await program.start();
});

test("[D19] a port that is no number is a clear failure", async () => {
  for (const port of ["x", "-1", "70000", "1.5"])
    expect(await program.parley(["serve"], { env: { PARLEY_PORT: port } })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`PARLEY_PORT: expected a port number, not "${port}"`),
    });
});

test("[D20] without a wish the next free port is taken", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
  const taken = other.port ?? 0;
  const daemon = await runDaemon({
    paths: pathsIn(join(program.root, "in-process")),
    version: "test",
    byHand: true,
    port: undefined,
    firstPort: taken,
    engine: sqlite,
    now: Date.now,
    log: () => undefined,
  });
  const port = daemon?.registration.port ?? 0;
  expect(port).toBeGreaterThan(taken);
  expect(port).toBeLessThanOrEqual(taken + 50);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  daemon?.stop(false);
  await daemon?.ended;
  await other.stop(true);
});

test("[D21] a database of a newer Parley is not opened, and the daemon says so", async () => {
  await program.start();
  await program.terminate();
  const { Database } = await import("bun:sqlite");
  const db = new Database(program.paths.database);
  db.run("PRAGMA user_version = 99");
  db.close();
  const serve = await program.parley(["serve"]);
  expect(serve).toMatchObject({ code: 1, err: expect.stringContaining("was written by a newer Parley (schema 99,") });
});

test("[D22] a socket or lock left behind does not keep the next daemon from starting", async () => {
  mkdirSync(program.home, { mode: 0o700 });
  writeFileSync(program.paths.socket, "");
  writeFileSync(program.paths.lock, "");
  await program.start();
  expect((await program.parley(["status"])).code).toBe(0);
});

test("[D23] no token is told: not by commands, not by replies, not in the log", async () => {
  await program.start();
  const { agent, human } = program.tokens();
  await request(program, "port", "GET /api/status", { token: `${human}x` });
  await request(program, "port", "POST /api/asks", { token: agent, body: "{" });
  await request(program, "port", `GET /api/nothing?token=${human}`, { token: human });
  const replies = [
    await request(program, "port", "GET /health"),
    await request(program, "socket", "GET /api/status", { token: human }),
    await request(program, "socket", "GET /api/log", { token: human }),
  ];
  const commands = [["up"], ["up", "--json"], ["status"], ["status", "--json"], ["log", "--json"], ["ls", "--json"]];
  const told = await Promise.all(commands.map((command) => program.parley(command)));
  const running = Bun.spawnSync(["ps", "ax", "-o", "command="]).stdout.toString();
  const all = [JSON.stringify(replies), JSON.stringify(told), running, await Bun.file(program.paths.log).text()].join();
  expect([all.includes(agent), all.includes(human)]).toEqual([false, false]);
});

test("[D33] a daemon whose home is deleted ends by itself, and puts nothing there", async () => {
  await program.start();
  const { process: daemon } = program.registration();
  rmSync(program.home, { recursive: true });
  await eventually(() => expect(isAlive(daemon)).toBe(false));
  expect(existsSync(program.home)).toBe(false);
});

test("[D34] a daemon whose home is deleted leaves the one alone that has the name now", async () => {
  await program.start();
  const { process: first } = program.registration();
  rmSync(program.home, { recursive: true });
  await program.start();
  const second = program.registration();
  expect(second.process.pid).not.toBe(first.pid);
  await eventually(() => expect(isAlive(first)).toBe(false));
  expect(program.registration()).toEqual(second);
  expect(await program.client().call("status")).toMatchObject({ pid: second.process.pid });
  const { id } = await program.client("agent").call("createAsk", { body: { questions: [question()] } });
  await program.kill9();
  await program.start();
  expect(await program.client().call("getAsk", { id })).toMatchObject({ state: "open" });
});
