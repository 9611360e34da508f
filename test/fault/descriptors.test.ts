import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { readdirSync } from "node:fs";
import { createSession, ended, HASTY, hook, isHeld, SILENT, settle } from "../e2e/hook-stage.ts";
import { COMMAND, createProgram, holds, type Program } from "../e2e/program.ts";

const LIMIT = 64;
const skip = process.platform !== "linux" && process.env["CI"] !== "true";
const why = skip ? " (skipped: how many files a process has open is read from /proc)" : "";

test.skipIf(skip)(
  `[FA7] out of file descriptors: hooks end silently, what is held stays true, commands say so; afterwards it goes on${why}`,
  async () => {
    const program = createProgram();
    const daemon = startWith(LIMIT, program);
    try {
      expect(await holds(async () => (await program.parley(["status"])).code === 0)).toBe(true);
      const session = createSession(program, "single-select");
      await session.tell("PreToolUse");
      const dialog = session.fire("PermissionRequest");
      const held = await session.ask(isHeld);

      const crowd = gather(2 * LIMIT, program.paths.socket);
      expect(await holds(() => readdirSync(`/proc/${daemon.pid}/fd`).length >= LIMIT)).toBe(true);
      const other = createSession(program, "single-select");
      const short = hook(program, other.payload("PreToolUse"), { env: HASTY });
      expect(await ended(short)).toEqual(SILENT);
      expect(await program.parley(["ls"])).toEqual({
        code: 69,
        out: "",
        err: "✗ The daemon is not responding. Stop it: parley down --force\n",
      });
      crowd.leave();

      expect(await session.ask(isHeld)).toMatchObject({ state: "open" });
      await settle(program, held, { action: "answer", answers: [{ picks: [1] }] });
      expect((await ended(dialog)).out).toContain('"Option B"');
      // As often as it takes: a hook waits for five seconds, and a busy machine may need more.
      const isThere = async () => (
        expect(await other.tell("PreToolUse")).toEqual(SILENT),
        (await other.asks()).length > 0
      );
      expect(await holds(isThere)).toBe(true);
      expect(await other.ask()).toMatchObject({ state: "open" });
    } finally {
      daemon.kill("SIGTERM");
      await daemon.exited;
      await program.dispose();
    }
  },
);

function startWith(files: number, { user, home }: Program): Bun.Subprocess {
  return Bun.spawn(["/bin/sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...COMMAND, "serve"], {
    cwd: user,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: user,
      PARLEY_HOME: home,
      PARLEY_PORT: "0",
      PARLEY_CONFIG: "/dev/null",
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
}

/** Connections that say nothing; who is shown the door comes back. */
function gather(size: number, path: string): { leave(): void } {
  const crowd = new Set<Socket>();
  let isOver = false;
  const enter = () => {
    if (isOver) return;
    const one = connect({ path });
    crowd.add(one);
    one.on("error", () => undefined);
    one.on("close", () => (crowd.delete(one), enter()));
  };
  for (let i = 0; i < size; i++) enter();
  return {
    leave() {
      isOver = true;
      for (const one of crowd) one.destroy();
    },
  };
}
