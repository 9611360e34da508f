import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "../../lab/poll.ts";
import { isAlive, nameProcess, processesWith } from "../../machine/process/process.ts";
import { endRun, markOf } from "./end-run.ts";
import { runFolder } from "./run-folder.ts";

test("[TX20] all of a run ends, what left its group and does not listen too; nothing else does", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-"));
  const [folder, other] = [runFolder(join(root, "a b")), runFolder(join(root, "other"))];
  mkdirSync(folder.path);
  const start = (of: typeof folder, script: string) =>
    Bun.spawn(["/bin/sh", "-c", script], {
      env: { PATH: process.env["PATH"] ?? "", ...markOf(of) },
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
  const deaf = "trap '' TERM HUP INT; while :; do sleep 1; done";
  // As an agent starts a command: in a group of its own.
  const agent = start(folder, `set -m; /bin/sh -c "${deaf}" & exec sleep 1000`);
  const stranger = start(other, "exec sleep 1000");
  writeFileSync(folder.agent, JSON.stringify(nameProcess(agent.pid)));
  const marked = () => processesWith(`PARLEY_RUN=${folder.path}`);
  await poll(() => (marked().length >= 3 ? true : undefined), { failure: () => "it did not start" });
  await endRun(folder);
  expect(marked().filter(isAlive)).toEqual([]);
  expect(isAlive(nameProcess(stranger.pid))).toBe(true);
  stranger.kill("SIGKILL");
  await stranger.exited;
  rmSync(root, { recursive: true });
});
