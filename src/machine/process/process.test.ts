import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, nameProcess } from "./process.ts";

test("[M7] a process lives under its own name until it ends", async () => {
  const child = Bun.spawn(["sleep", "60"]);
  const name = nameProcess(child.pid);
  expect(name.pid).toBe(child.pid);
  expect(name.started).toBeString();
  expect(nameProcess(child.pid)).toEqual(name);
  expect(isAlive(name)).toBe(true);
  child.kill("SIGKILL");
  await child.exited;
  expect(isAlive(name)).toBe(false);
  expect(nameProcess(child.pid).started).toBeUndefined();
});

test("[M8] another process with the same pid is not the one that was named", () => {
  const { pid, started } = nameProcess(process.pid);
  expect(isAlive({ pid, started })).toBe(true);
  expect(isAlive({ pid, started: `${started}0` })).toBe(false);
  expect(isAlive({ pid })).toBe(true);
});

test("[M9] a process of another user lives", () => {
  expect(isAlive(nameProcess(1))).toBe(true);
});

test.skipIf(process.platform !== "linux")("[M10] a process that ended but was not fetched is gone", async () => {
  // The shell becomes a sleep that never asks after its child; only then may the child end, or the shell would fetch it.
  const script = "exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 60";
  const parent = Bun.spawn(["sh", "-c", script], { stdin: "pipe", stdout: "pipe" });
  const { value } = await parent.stdout.getReader().read();
  const pid = Number(Buffer.from(value ?? []).toString());
  while ((await Bun.file(`/proc/${parent.pid}/comm`).text()) !== "sleep\n") await Bun.sleep(5);
  await parent.stdin.end();
  const state = () => Bun.file(`/proc/${pid}/stat`).text();
  while (!/\) Z /.test(await state())) await Bun.sleep(5);
  expect(isAlive({ pid })).toBe(false);
  parent.kill("SIGKILL");
  await parent.exited;
});

test.skipIf(process.platform !== "linux")("[M10] a name with brackets and spaces hides nothing", async () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-process-"));
  symlinkSync(process.execPath, join(dir, "a) Z 1 (b"));
  const child = Bun.spawn([join(dir, "a) Z 1 (b"), "-e", "setInterval(() => {}, 1e6)"]);
  const isNamed = async () => (await Bun.file(`/proc/${child.pid}/stat`).text()).includes("(a) Z 1 (b)");
  while (!(await isNamed())) await Bun.sleep(5);
  const name = nameProcess(child.pid);
  expect(name.started).toMatch(/^\d+$/);
  expect(isAlive(name)).toBe(true);
  child.kill("SIGKILL");
  await child.exited;
  rmSync(dir, { recursive: true });
});
