import { expect, test } from "bun:test";
import { cancelTasks } from "../e2e/cancel-tasks.ts";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, RULE, stateIs } from "../e2e/autopilot-stage.ts";
import { holds } from "../e2e/program.ts";
import { stopNext } from "../e2e/late-supervisor.ts";
import { eventually } from "../patience.ts";
import { isIn, isWaiting, openTaskScene, type TaskScene } from "../e2e/task-scene.ts";
import { exhaust, noSmallDisk, openSmallDisk, type SmallDisk } from "./small-disk.ts";

const missing = noSmallDisk();
const skip = missing !== undefined && process.env["CI"] !== "true";
type Where = "on the same disk" | "on another disk";

/** A task whose agent, or check, goes on when the file is there; its runs are kept on this disk or on another one. */
const it = (
  title: string,
  where: Where,
  run: (disk: SmallDisk, scene: TaskScene, go: string) => Promise<void>,
  settings = "limit = 1",
) =>
  test.skipIf(skip)(skip ? `${title} (skipped: ${missing})` : `${title} (runs ${where})`, async () => {
    await using disk = openSmallDisk();
    const { program } = disk;
    const own = join(program.home, "tasks");
    if (where === "on another disk") mountOn(own);
    const scene = await openTaskScene(settings, {}, program);
    try {
      await run(disk, scene, join(program.user, "go"));
    } finally {
      disk.makeRoom();
      await cancelTasks(scene.client());
      Bun.spawnSync(["umount", "--lazy", own]);
    }
  });

function mountOn(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", path]);
}

/** Longer than a supervisor has to claim its run. */
const LATE_MS = 20_000;
/** Long enough for whatever happens now to be tried, and not to be written. */
const isTried = () => Bun.sleep(2500);

for (const where of ["on the same disk", "on another disk"] as const) {
  it(
    "[RX50] a run that ends on a full disk is over as soon as there is room, with all it said",
    where,
    async (disk, scene, go) => {
      const id = await scene.give([{ say: "Before." }, { until: go }, { say: `All is done. ${"x".repeat(90_000)}` }]);
      expect(await scene.alone(id)).toHaveLength(1);
      await exhaust(disk.program, disk.fill);
      writeFileSync(go, "");
      expect(await scene.alone(id, 0)).toEqual([]);
      await isTried();
      // The database may have found room inside its own files.
      expect(["in_progress", "done"]).toContain((await scene.task(id)).state);
      disk.makeRoom();
      const done = await scene.becomes(id, isIn("done"));
      expect([done.run, done.said?.length]).toEqual([1, 90_013]);
    },
  );

  it("[RX51] a check that ends on a full disk counts as soon as there is room", where, async (disk, scene, go) => {
    const gate = `touch ${scene.user}/began; until test -e ${go}; do sleep 0.1; done; echo broken >&2; exit 3`;
    const id = await scene.give([{ say: "Done." }], { gate });
    expect(await holds(() => existsSync(join(scene.user, "began")))).toBe(true);
    await exhaust(disk.program, disk.fill);
    writeFileSync(go, "");
    await isTried();
    disk.makeRoom();
    await scene.becomes(id, isWaiting("gate"));
    expect((await scene.task(id)).checked).toMatchObject({ ok: false, code: 3 });
  });
}

it(
  "[RX52] a task that is due to start on a full disk starts as soon as there is room",
  "on the same disk",
  async (disk, scene, go) => {
    const first = await scene.give([{ until: go }, { say: "First." }]);
    const second = await scene.give([{ say: "Second." }]);
    expect(await scene.alone(first)).toHaveLength(1);
    await exhaust(disk.program, disk.fill);
    writeFileSync(go, "");
    await isTried();
    disk.makeRoom();
    await scene.becomes(first, isIn("done"));
    await scene.becomes(second, isIn("done"));
  },
);

it(
  "[RX54] a supervisor that cannot claim its run on a full disk has all its time once there is room",
  "on the same disk",
  async (disk, scene) => {
    const { id, pid } = await stopNext(scene, () => scene.give([{ say: "Good." }]));
    await exhaust(disk.program, disk.fill);
    process.kill(pid, "SIGCONT");
    await Bun.sleep(LATE_MS);
    disk.makeRoom();
    expect(await scene.becomes(id, isIn("done"))).toMatchObject({ run: 1, attempt: 1 });
  },
  "limit = 4",
);

it(
  "[RX53] an answer of the autopilot that is due on a full disk goes out as soon as there is room",
  "on the same disk",
  async (disk, scene) => {
    const options = ["Grid", "List"].map((label) => ({ label, description: label }));
    const questions = [{ question: "Which layout?", header: "Choice", multiSelect: false, options }];
    const client = scene.client("agent");
    // A slow machine may fill its disk only when the answer is out, and the database may find room for it inside its own
    // files: then another one is asked.
    const { id } = await eventually(async () => {
      disk.makeRoom();
      const asked = await client.call("createAsk", {
        body: { questions, origin: { agent: "script", cwd: scene.project } },
      });
      expect(await holds(async () => (await scene.ask(asked.id)).autopilot?.state === "held")).toBe(true);
      await exhaust(disk.program, disk.fill);
      const { autopilot } = await scene.ask(asked.id);
      await holds(() => Date.now() > (autopilot?.due ?? 0));
      await isTried();
      const held = await scene.ask(asked.id);
      expect([held.state, held.autopilot?.state]).toEqual(["open", "held"]);
      return held;
    });
    disk.makeRoom();
    expect(await holds(async () => (await scene.ask(id)).outcome?.type === "answered")).toBe(true);
    expect((await scene.ask(id)).outcome).toMatchObject({ actor: { type: "rule", name: "first" } });
  },
  `limit = 1\n[autopilot]\nmode = "on"\nundo_seconds = 6\n${RULE}`,
);

const LIST = { actions: [{ action: "select", optionIndex: 1, label: "List" }], reason: "so it was before" };
for (const [what, reply, state] of [
  ["what a brain says", LIST, "suggested"],
  ["that a brain has nothing to say", "I would rather not", "human"],
] as const) {
  const title = `[RX55] ${what} on a full disk counts as soon as there is room`;
  test.skipIf(skip)(skip ? `${title} (skipped: ${missing})` : title, async () => {
    await using disk = openSmallDisk();
    const pilot = createPilot("", disk.program);
    const brain = pilot.brain("b", reply, { gated: true });
    pilot.configure(`[autopilot]\nmode = "on"\n[[autopilot.rules]]\nname = "ask"\nbrain = "b"\n${brain.toml}`);
    await disk.program.start();
    const id = await pilot.ask();
    await pilot.becomes(id, stateIs("asking"));
    await exhaust(disk.program, disk.fill);
    brain.open();
    await isTried();
    // The database may have found room inside its own files.
    expect(["asking", state]).toContain((await pilot.look(id)).autopilot?.state ?? "");
    disk.makeRoom();
    await pilot.becomes(id, stateIs(state));
  });
}
