import { expect, test } from "bun:test";
import { createSession, ended, HASTY, isHeld, SILENT, settle } from "../e2e/hook-stage.ts";
import { holds, type Program } from "../e2e/program.ts";
import { request } from "../e2e/api-request.ts";
import { recording } from "../recorded.ts";
import { processes, type Running } from "./processes.ts";
import { setClock, writeShifted } from "./shifted-program.ts";
import { exhaust, noSmallDisk, openSmallDisk, type SmallDisk } from "./small-disk.ts";

const missing = noSmallDisk();
const skip = missing !== undefined && process.env["CI"] !== "true";
const it = (title: string, run: (disk: SmallDisk) => Promise<void>) =>
  test.skipIf(skip)(skip ? `${title} (skipped: ${missing})` : title, async () => {
    await using disk = openSmallDisk();
    await disk.program.start();
    await run(disk);
  });

const SHORT = ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd"];
const AFTERWARDS = "Nothing was changed; Parley continues on its own as soon as it can write again.";
const full = ({ paths }: Program) => `There is no room left on the disk of ${paths.database}. ${AFTERWARDS}`;
const notStarted = ({ home }: Program) =>
  `✗ The daemon cannot start: there is no room on the disk of ${home}, or it cannot be written. It starts on its own once that is fixed.\n`;
const ask = (program: Program, ...more: string[]) =>
  program.parley(["ask", "Now?", "-o", "Yes", "-o", "No", "--no-wait", ...more]);

/** What a daemon held open, or the next one tidied up, may leave room enough for one more start. */
async function endForGood(program: Program, fill: () => void): Promise<void> {
  await holds(async () => {
    fill();
    await program.kill9();
    fill();
    return (await program.parley(["ls"])).code === 74;
  });
}

it("[FA2] on a full disk hooks end silently, a held one stays, an answer is refused in words; with room again it arrives", async ({
  program,
  fill,
  makeRoom,
}) => {
  const session = createSession(program, "single-select", "2.1.325", HASTY);
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const held = await session.ask(isHeld);
  await exhaust(program, fill);
  const other = createSession(program, "single-select", "2.1.325", HASTY);
  for (const event of SHORT) expect(await other.tell(event)).toEqual(SILENT);
  const refused = await request(program, "socket", `POST /api/asks/${held.id}/settle`, {
    token: program.tokens().human,
    body: { action: "answer", answers: [{ picks: [1] }], surface: "api" },
  });
  expect(refused).toMatchObject({ status: 507, error: { code: "not_written", message: full(program) } });
  expect(await ask(program)).toEqual({ code: 74, out: "", err: `✗ ${full(program)}\n` });
  expect((await program.parley(["ls"])).out).toContain("Which approach should we use?");
  expect(await session.ask(isHeld)).toMatchObject({ state: "open" });

  makeRoom();
  await settle(program, held, { action: "answer", answers: [{ picks: [1] }] });
  expect((await ended(dialog)).out).toContain('"Option B"');
  await session.ask(({ state }) => state === "delivered");
  expect((await ask(program)).code).toBe(0);
});

it("[FA14] a deadline that passes on a full disk is kept as soon as there is room", async ({
  program,
  fill,
  makeRoom,
}) => {
  writeShifted(program, program.paths.program);
  await program.kill9();
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_PORT: "0", PARLEY_CONFIG: "/dev/null" };
  Bun.spawn([program.paths.program, "serve"], { cwd: program.user, env, stdio: ["ignore", "ignore", "ignore"] });
  expect(await holds(async () => (await program.parley(["status"])).code === 0)).toBe(true);
  const due = (await ask(program, "--timeout", "1h")).out.trim();
  await exhaust(program, fill);
  setClock(program, 2 * 3_600_000);
  // So often the daemon looks whether its clock has jumped: it is tried meanwhile, and cannot be written.
  const passed = Date.now() + 3000;
  await holds(() => Date.now() > passed);
  expect(await program.client().call("getAsk", { id: due })).toMatchObject({ state: "open" });
  makeRoom();
  expect(
    await holds(async () => (await program.client().call("getAsk", { id: due })).outcome?.type === "expired"),
  ).toBe(true);
});

it("[FA3] a daemon that dies on a full disk comes back with the room, and with everything that was acknowledged", async ({
  program,
  fill,
  makeRoom,
}) => {
  const session = createSession(program, "single-select", "2.1.325", HASTY);
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  const held = await session.ask(isHeld);
  await endForGood(program, fill);
  const other = createSession(program, "single-select", "2.1.325", HASTY);
  for (const event of SHORT) expect(await other.tell(event)).toEqual(SILENT);
  expect(await program.parley(["ls"])).toEqual({ code: 74, out: "", err: notStarted(program) });
  expect(await program.parley(["up"])).toEqual({ code: 74, out: "", err: notStarted(program) });

  makeRoom();
  // Nobody lifts a hand: the hook that waits starts it.
  await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [1] }] });
  expect((await ended(dialog)).out).toContain('"Option B"');
  expect((await session.ask()).id).toBe(held.id);
});

it("[FA4] a question asked while the daemon cannot start is there when it can", async ({ program, fill, makeRoom }) => {
  await endForGood(program, fill);
  const session = createSession(program, "single-select", "2.1.325", HASTY);
  const dialog = session.fire("PermissionRequest");
  expect(await program.parley(["ls"])).toMatchObject({ code: 74 });
  makeRoom();
  await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [0] }] });
  expect((await ended(dialog)).out).toContain('"Option A"');
});

it("[FA5] on a full disk the daemon ends when it is told to", async ({ program, fill, makeRoom }) => {
  await exhaust(program, fill);
  expect((await program.parley(["down"])).code).toBe(0);
  makeRoom();
  await program.start();
  expect((await ask(program)).code).toBe(0);
});

it("[FA6] a home that cannot be written: hooks are silent, commands say so, and it goes on by itself", async ({
  program,
  setReadOnly,
}) => {
  const asked = await ask(program);
  await program.kill9();
  await setReadOnly(true);
  const session = createSession(program, "single-select", "2.1.325", HASTY);
  const dialog = session.fire("PermissionRequest");
  for (const event of SHORT) expect(await session.tell(event)).toEqual(SILENT);
  const err = `✗ The daemon cannot start: ${program.home} cannot be written: its file system is read-only. It starts on its own once that is fixed.\n`;
  expect(await program.parley(["ls"])).toEqual({ code: 74, out: "", err });

  await setReadOnly(false);
  await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [0] }] });
  expect((await ended(dialog)).out).toContain('"Option A"');
  expect((await program.parley(["ls"])).out).toContain(asked.out.trim().slice(0, 6));
});

it("[FA13] a question that was answered in the terminal before its late hook found a daemon is told truly", async ({
  program,
  fill,
  makeRoom,
}) => {
  writeShifted(program, program.paths.program);
  fill();
  await program.kill9();
  const session = createSession(program, "single-select", "2.1.325", HASTY);
  const dialog = session.fire("PermissionRequest");
  // It was called when it tries to start a daemon.
  const starts = ({ command, env }: Running) =>
    command.includes("serve --detached") && env.includes(`PARLEY_HOME=${program.home}`);
  expect(await holds(() => processes().some(starts))).toBe(true);
  const { lines, hooks } = recording("2.1.325", "single-select");
  const then = `"timestamp":"${new Date().toISOString()}"`;
  for (const line of lines)
    session.append(
      line.replaceAll(String(hooks[0]?.["session_id"]), session.id).replaceAll(/"timestamp":"[^"]+"/g, then),
    );
  // Longer than any hook takes to reach a daemon that lives.
  setClock(program, 60_000);
  makeRoom();
  expect(await ended(dialog)).toEqual(SILENT);
  expect((await session.ask(({ state }) => state === "closed")).outcome).toMatchObject({ type: "answered-elsewhere" });
});
