import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isIn, isWaiting, openTaskScene, type TaskScene } from "../e2e/task-scene.ts";
import { noSmallDisk } from "./small-disk.ts";

const missing = noSmallDisk();

/** As many at once as there are tasks here, from the next daemon on. */
const makeRoom = ({ user }: TaskScene) =>
  writeFileSync(join(user, ".config/parley/config.toml"), "[tasks]\nlimit = 4\n");

/** One that runs until the file `go` is there, and two that wait for their turn behind it. */
async function openQueue(scene: TaskScene) {
  const go = join(scene.user, "go");
  const first = await scene.give([{ until: go }, { say: "First." }]);
  expect(await scene.alone(first)).toHaveLength(1);
  const broken = await scene.give([{ say: "Second." }]);
  const third = await scene.give([{ say: "Third." }]);
  return { first, broken, third, folder: join(scene.home, "tasks", broken), go: () => writeFileSync(go, "") };
}

function putFileAt(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
}

test("[RX63] a queued task whose run has no place keeps neither the daemon nor other tasks: somebody is asked what now", async () => {
  await using scene = await openTaskScene("limit = 1");
  const { first, broken, third, folder, go } = await openQueue(scene);
  await scene.kill9();
  putFileAt(folder);
  makeRoom(scene);
  await scene.start();
  const { pid } = scene.registration().process;
  await scene.becomes(third, isIn("done"));
  await scene.becomes(broken, isWaiting("dead"));
  const ask = await scene.asked(broken);
  expect(ask.questions[0]?.text).toBe("it could not be started. What now?");
  expect(ask.questions[0]?.body).toContain("ENOTDIR");
  expect(readFileSync(scene.paths.log, "utf8")).toContain("a run could not be started");
  go();
  await scene.becomes(first, isIn("done"));
  expect(scene.registration().process.pid).toBe(pid);
  // Once that is repaired, it is started again.
  rmSync(folder);
  await scene.pick(ask.id, "Retry");
  await scene.becomes(broken, isIn("done"));
});

const title =
  "[RX64] a queued task whose folder cannot be written for now keeps neither the daemon nor other tasks, and follows";
test.skipIf(missing !== undefined && process.env["CI"] !== "true")(title, async () => {
  await using scene = await openTaskScene("limit = 1");
  const { first, broken, third, folder, go } = await openQueue(scene);
  await scene.kill9();
  makeRoom(scene);
  Bun.spawnSync(["mount", "--bind", folder, folder]);
  try {
    expect(Bun.spawnSync(["mount", "-o", "remount,bind,ro", folder]).exitCode).toBe(0);
    await scene.start();
    await scene.becomes(third, isIn("done"));
    go();
    await scene.becomes(first, isIn("done"));
    Bun.spawnSync(["mount", "-o", "remount,bind,rw", folder]);
    expect(await scene.becomes(broken, isIn("done"))).toMatchObject({ run: 1 });
  } finally {
    Bun.spawnSync(["umount", "--lazy", folder]);
  }
});

test("[RX65] a run whose folder is lost to a file ends, is asked about, and its daemon lives", async () => {
  await using scene = await openTaskScene("limit = 4");
  const id = await scene.give([{ until: join(scene.user, "never") }, { say: "Done." }]);
  expect(await scene.alone(id)).toHaveLength(1);
  await scene.kill9();
  putFileAt(join(scene.home, "tasks", id, "1"));
  await scene.start();
  const { pid } = scene.registration().process;
  await scene.becomes(id, isWaiting("dead"));
  expect(await scene.alone(id, 0)).toEqual([]);
  expect(scene.registration().process.pid).toBe(pid);
});

test("[RX60] a check that has no place to run counts as failed, and says why", async () => {
  await using scene = await openTaskScene("limit = 4");
  const go = join(scene.user, "go");
  const id = await scene.give([{ until: go }, { say: "Done." }], { gate: "true" });
  expect(await scene.alone(id)).toHaveLength(1);
  putFileAt(join(scene.home, "tasks", id, "1/check"));
  writeFileSync(go, "");
  await scene.becomes(id, isWaiting("gate"));
  expect((await scene.task(id)).checked?.output).toMatch(/E(NOTDIR|EXIST)/);
});
