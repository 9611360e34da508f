import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSession, ended, isHeld, SILENT, settle } from "../e2e/hook-stage.ts";
import { createReceiver } from "../e2e/notify-stage.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { setClock, writeShifted } from "./shifted-program.ts";

const HOUR = 3_600_000;
let program: Program;
let daemon: Bun.Subprocess;

const SETTINGS = `
[autopilot]
mode = "on"
undo_seconds = 4
escalate_after_seconds = 4
after_escalation = "expire"
[[autopilot.rules]]
name = "database"
match = { question = "Which database?" }
choose = { label = "SQLite" }
[notify]
after_seconds = 4
`;

/** Daemon and hooks share a clock that can be set; everything else is as it is. */
beforeEach(async () => {
  const real = createProgram();
  const launcher = join(real.root, "parley");
  writeShifted(real, launcher);
  program = { ...real, paths: { ...real.paths, program: launcher } };
  await start("/dev/null");
});
afterEach(async () => {
  await stop();
  await program.dispose();
});

async function start(config: string): Promise<void> {
  const { paths, user } = program;
  const env = { PATH: process.env["PATH"] ?? "", HOME: user, PARLEY_PORT: "0", PARLEY_CONFIG: config };
  daemon = Bun.spawn([paths.program, "serve"], { cwd: user, env, stdio: ["ignore", "ignore", "ignore"] });
  expect(await holds(async () => (await program.parley(["status"])).code === 0)).toBe(true);
}
async function stop(): Promise<void> {
  daemon.kill("SIGTERM");
  await daemon.exited;
}
/** The daemon anew, with these settings. */
async function withSettings(text = SETTINGS): Promise<string> {
  const file = join(program.root, "config.toml");
  writeFileSync(file, text);
  await stop();
  await start(file);
  return file;
}

const ask = async (question: string, timeout: string) =>
  (await program.parley(["ask", question, "-o", "Yes", "-o", "No", "--no-wait", "--timeout", timeout])).out.trim();
const becomes = (id: string, type: string) =>
  holds(async () => (await program.client().call("getAsk", { id })).outcome?.type === type);

/** A whole question through the hooks, answered from outside. */
async function goesRound(): Promise<void> {
  const session = createSession(program, "single-select");
  expect(await session.tell("PreToolUse")).toEqual(SILENT);
  const dialog = session.fire("PermissionRequest");
  await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [1] }] });
  expect((await ended(dialog)).out).toContain('"Option B"');
  session.write();
  await session.tell("PostToolUse");
  await session.ask(({ state }) => state === "verified");
}

test("[FA8] the clock jumps two days ahead: what was due is due at once, what is held stays, everything goes on", async () => {
  const session = createSession(program, "single-select");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const held = await session.ask(isHeld);
  const due = await ask("By tomorrow?", "24h");
  const later = await ask("By next week?", "7d");
  setClock(program, 48 * HOUR);
  expect(await becomes(due, "expired")).toBe(true);
  expect(await session.ask(isHeld)).toMatchObject({ id: held.id, state: "open" });
  expect((await program.client().call("getAsk", { id: later })).state).toBe("open");
  await settle(program, held, { action: "answer", answers: [{ picks: [1] }] });
  expect((await ended(dialog)).out).toContain('"Option B"');
  await goesRound();
});

test("[FA9] the clock goes back an hour: nobody waits longer, what is held stays, everything goes on", async () => {
  const session = createSession(program, "chat");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  await session.ask(isHeld);
  const due = await ask("In a moment?", "4s");
  setClock(program, -HOUR);
  expect(await becomes(due, "expired")).toBe(true);
  await goesRound();
  // Said by a hook that was called, by its clock, before the question was asked.
  session.write();
  expect(await session.tell("Stop")).toEqual(SILENT);
  expect(await ended(dialog)).toEqual(SILENT);
  await session.ask(({ outcome }) => outcome?.type === "chat");
});

const isHeldBack = (id: string) =>
  holds(async () => (await program.client().call("getAsk", { id })).autopilot?.state === "held");
const outcomeOf = async (id: string) => (await program.client().call("getAsk", { id })).outcome;
const choose = async (question: string) =>
  (await program.parley(["ask", question, "-o", "SQLite", "-o", "Postgres", "--no-wait"])).out.trim();

test("[MX41] the clock goes back an hour while an answer is held: it goes out when it would have", async () => {
  await withSettings();
  const id = await choose("Which database?");
  expect(await isHeldBack(id)).toBe(true);
  setClock(program, -HOUR);
  expect(await becomes(id, "answered")).toBe(true);
  expect(await outcomeOf(id)).toMatchObject({ actor: { type: "rule", name: "database" }, answers: [{ picks: [0] }] });
});

test("[MX42] so it does when the daemon is started anew after the clock went back", async () => {
  const file = await withSettings();
  const id = await choose("Which database?");
  expect(await isHeldBack(id)).toBe(true);
  await stop();
  setClock(program, -HOUR);
  await start(file);
  expect(await becomes(id, "answered")).toBe(true);
});

test("[MX43] nobody has an hour more to answer: neither a person before it is given up, nor an asker's own time", async () => {
  const file = await withSettings();
  const [left, due] = [await choose("Which colour?"), await ask("In a moment?", "10s")];
  expect(
    await holds(async () => (await program.client().call("getAsk", { id: left })).autopilot?.state === "human"),
  ).toBe(true);
  setClock(program, -HOUR);
  expect(await becomes(left, "expired")).toBe(true);
  await stop();
  setClock(program, -2 * HOUR);
  await start(file);
  expect(await becomes(due, "expired")).toBe(true);
});

test("[MX44] a question that waits is told about, though the clock went back meanwhile", async () => {
  await using receiver = createReceiver();
  await withSettings(`[notify]\nafter_seconds = 4\n[notify.ntfy]\nurl = "${receiver.url}/topic"\n`);
  await choose("Which colour?");
  setClock(program, -HOUR);
  expect((await receiver.nth(1)).text).toContain("Which colour?");
});
