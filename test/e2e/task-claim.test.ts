import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../src/machine/process/process.ts";
import { claimOf } from "../../src/runner/run/claim.ts";
import { pathOfRun, runFolder } from "../../src/runner/run/run-folder.ts";
import { holds } from "./program.ts";
import { stopNext } from "./late-supervisor.ts";
import { isIn, isWaiting, openTaskScene, type TaskScene } from "./task-scene.ts";

/** Longer than a supervisor has to claim its run. */
const LATE_MS = 16_000;

/** Of this task alone: one whose supervisor claimed its run before it was stopped has begun too. */
const prompts = (scene: TaskScene, id: string) =>
  scene.journal().filter(({ task, event }) => task === id && event === "prompt");

test("[RX30] a supervisor that comes too late finds its run revoked: with a retry there is one agent, never two", async () => {
  await using scene = await openTaskScene("limit = 4");
  const go = join(scene.user, "go");
  const { id, pid } = await stopNext(scene, () => scene.give([{ until: go }, { say: "Good." }]));
  await holds(async () => (await scene.task(id)).state === "waiting");
  const { questions, id: dead } = await (await scene.becomes(id, isWaiting("dead")), scene.asked(id));
  expect(questions[0]?.text).toBe("it could not be started. What now?");
  expect(questions[0]?.body).toBe("Nothing picked up this run within 15 seconds.");
  await scene.pick(dead, "Retry");
  expect(await scene.alone(id)).toHaveLength(1);
  process.kill(pid, "SIGCONT");
  expect(await holds(() => !isAlive({ pid }))).toBe(true);
  expect(await scene.alone(id)).toHaveLength(1);
  writeFileSync(go, "");
  expect(await scene.becomes(id, isIn("done"))).toMatchObject({ run: 2, attempt: 2 });
  expect(prompts(scene, id)).toHaveLength(1);
});

test("[RX31] cancelled before its supervisor has claimed it, a task never starts", async () => {
  await using scene = await openTaskScene("limit = 4");
  const { id, pid } = await stopNext(scene, () => scene.give([{ say: "Never." }]));
  await scene.client().call("taskCancel", { id, body: {} });
  await scene.client().call("taskRetry", { id, body: {} });
  await scene.becomes(id, isIn("done"));
  process.kill(pid, "SIGCONT");
  expect(await holds(() => !isAlive({ pid }))).toBe(true);
  expect(prompts(scene, id)).toHaveLength(1);
});

test("[RX32] a machine that slept is no reason to call a task dead", async () => {
  await using scene = await openTaskScene("limit = 4");
  const { id, pid } = await stopNext(scene, () => scene.give([{ say: "Good." }]));
  const daemon = scene.registration().process.pid;
  process.kill(daemon, "SIGSTOP");
  await Bun.sleep(LATE_MS);
  process.kill(daemon, "SIGCONT");
  await scene.task(id);
  process.kill(pid, "SIGCONT");
  expect(await scene.becomes(id, isIn("done"))).toMatchObject({ run: 1, attempt: 1 });
  expect(prompts(scene, id)).toHaveLength(1);
});

test("[RX33] a supervisor that is stopped once it has claimed its run is ended before the next run starts", async () => {
  await using scene = await openTaskScene("limit = 4");
  const go = join(scene.user, "go");
  const { id, pid } = await stopNext(scene, () => scene.give([{ until: go }, { say: "Good." }]));
  const folder = runFolder(pathOfRun(scene.home, id, 1));
  process.kill(pid, "SIGCONT");
  while (!claimOf(folder)) await new Promise((resolve) => setImmediate(resolve));
  process.kill(pid, "SIGSTOP");
  await scene.client().call("taskRetry", { id, body: {} });
  expect(isAlive({ pid })).toBe(false);
  expect(existsSync(folder.exit)).toBe(true);
  expect(await scene.alone(id)).toHaveLength(1);
  writeFileSync(go, "");
  expect(await scene.becomes(id, isIn("done"))).toMatchObject({ run: 2, attempt: 2 });
});
