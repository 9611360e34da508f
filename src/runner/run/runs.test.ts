import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { TaskEvent } from "../../core/task/task.ts";
import { poll } from "../../lab/poll.ts";
import { untilDone } from "../../machine/time/patience.ts";
import { openMemory } from "../../store/memory.ts";
import { createTasks } from "../tasks.ts";
import { takeClaim } from "./claim.ts";
import { makeRunFolder, pathOfRun, runFolder, writeWhole } from "./run-folder.ts";
import { createRuns } from "./runs.ts";

test("[RX56] a run whose agent asked something on a full disk when it ended is over as soon as there is room", async () => {
  const home = mkdtempSync(join(tmpdir(), "parley-runs-"));
  const store = openMemory();
  const tasks = createTasks({ store, now: () => 1 });
  const order = { prompt: "", name: "it", agent: "codex", cwd: home, priority: 0, worktree: false, review: false };
  const start = { how: "prompt", id: "one" } as const;
  const events: TaskEvent[] = [
    { type: "task.created", order },
    { type: "task.started", session: "s", start },
  ];
  await store.append({ at: 1, task: { id: "t", expected: 0, events } });
  const folder = runFolder(pathOfRun(home, "t", 1));
  makeRunFolder(folder, { command: [], cwd: home, env: {}, input: "", start }, {});
  takeClaim(folder);
  writeWhole(folder.exit, { code: null, signal: "SIGKILL" });
  let tries = 0;
  const close = async () => {
    // That its question is released cannot be written.
    if (++tries === 1) throw new ParleyError("not_written", "There is no room left");
  };
  const written = (_: string, work: () => Promise<void>) =>
    untilDone(work, { isOver: () => false, failed: () => undefined });
  const runs = createRuns({
    tasks,
    home,
    program: "",
    mustAsk: undefined,
    inside: undefined,
    openTalk: () => ({ heard: () => undefined, caughtUp: () => undefined, close }),
    written,
    log: () => undefined,
  });
  try {
    runs.find(await tasks.get("t"));
    await poll(async () => (await tasks.get("t")).end, { failure: () => "its end was not written" });
    expect((await tasks.get("t")).end).toMatchObject({ ok: false, code: null });
  } finally {
    runs.stop();
    await store.close();
    rmSync(home, { recursive: true });
  }
});
