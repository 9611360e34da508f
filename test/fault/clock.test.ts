import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { createSession, ended, isHeld, SILENT, settle } from "../e2e/hook-stage.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { setClock, writeShifted } from "./shifted-program.ts";

const HOUR = 3_600_000;
let program: Program;
let daemon: Bun.Subprocess;

/** Daemon and hooks share a clock that can be set; everything else is as it is. */
beforeEach(async () => {
  const real = createProgram();
  const launcher = join(real.root, "parley");
  writeShifted(real, launcher);
  program = { ...real, paths: { ...real.paths, program: launcher } };
  const clean = { PATH: process.env["PATH"] ?? "", HOME: real.user, PARLEY_PORT: "0", PARLEY_CONFIG: "/dev/null" };
  daemon = Bun.spawn([launcher, "serve"], { cwd: real.user, env: clean, stdio: ["ignore", "ignore", "ignore"] });
  expect(await holds(async () => (await program.parley(["status"])).code === 0)).toBe(true);
});
afterEach(async () => {
  daemon.kill("SIGTERM");
  await daemon.exited;
  await program.dispose();
});

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
