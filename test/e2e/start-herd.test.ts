import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDaemon } from "../../src/client/start-daemon.ts";
import { createStarting } from "../../src/client/starting.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { makePrivateDir } from "../../src/machine/file/private-dir.ts";
import { shellQuote } from "../../src/machine/shell-quote.ts";
import { COMMAND, createProgram } from "./program.ts";

/** Starts the program, or ends with this code, and notes that it was started. */
function counting(root: string, code?: number) {
  const [file, notes] = [join(root, "counting"), join(root, "starts")];
  const then = code === undefined ? `exec ${COMMAND.map(shellQuote).join(" ")} "$@"` : `exit ${code}`;
  writeFileSync(file, `#!/bin/sh\necho x >> ${shellQuote(notes)}\n${then}\n`);
  chmodSync(file, 0o755);
  return { command: [file], starts: () => readFileSync(notes, "utf8").split("\n").length - 1 };
}

test("[SD1] of many who find no daemon one starts it, and all find it", async () => {
  const program = createProgram();
  const { command, starts } = counting(program.root);
  // A mark is late after ten seconds, which a busy machine may take.
  const young = setInterval(() => {
    if (existsSync(program.paths.starting)) utimesSync(program.paths.starting, new Date(), new Date());
  }, 500);
  const all = await Promise.all(
    Array.from({ length: 30 }, () => startDaemon(program.paths, { patienceMs: PATIENCE_MS, command })),
  ).finally(() => clearInterval(young));
  expect(new Set(all)).toEqual(new Set(["started"]));
  expect(starts()).toBe(1);
  expect(existsSync(program.paths.starting)).toBe(false);
  await program.dispose();
});

test("[SD2] one that cannot be started is said to those who waited for it; who comes later tries again", async () => {
  const program = createProgram();
  const { command } = counting(program.root, 70);
  makePrivateDir(program.home);
  const [one, another] = [createStarting(program.paths), createStarting(program.paths)];
  expect([one.begins(), another.begins(), another.hasFailed()]).toEqual([true, false, false]);
  one.ends(true);
  expect([another.hasFailed(), another.begins(), another.hasFailed()]).toEqual([true, true, false]);
  another.ends(false);
  expect(await startDaemon(program.paths, { patienceMs: PATIENCE_MS, command })).toBe("failed");
  await program.dispose();
});

test("[SD3] a mark of one who died, or is late, or comes from the future, holds up nobody", async () => {
  const { paths, dispose } = createProgram();
  makePrivateDir(paths.home);
  const { begins } = createStarting(paths);
  const marked = (pid: number, seconds = 0) => {
    writeFileSync(paths.starting, String(pid));
    const at = Date.now() / 1000 - seconds;
    utimesSync(paths.starting, at, at);
    return begins();
  };
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const living = process.pid;
  expect([marked(living, 1), marked(dead.pid), marked(living, 60), marked(living, -60)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  await dispose();
});
