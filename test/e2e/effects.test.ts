import { afterEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { eventually } from "../patience.ts";
import { createProgram, type Program } from "./program.ts";
import { isIn, isWaiting, openTaskScene, QUESTION } from "./task-scene.ts";

const FIXTURE = join(import.meta.dir, "../../src/store/sqlite/fixtures/before-effects.sql");
const open: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.dispose();
});
function keep<T extends { dispose(): Promise<void> }>(thing: T): T {
  open.push(thing);
  return thing;
}

/** What another version of Parley would have stored: the same Asks with their texts or effects replaced. */
function rewrite(program: Program, from: string, to: string): void {
  const db = new Database(program.paths.database);
  const { changes } = db
    .query("UPDATE asks SET data = replace(data, ?1, ?2) WHERE state = 'open' AND instr(data, ?1) > 0")
    .run(from, to);
  db.close();
  expect(changes).toBe(1);
}

describe("a database of before options had effects", () => {
  test("[EF4] what was decided before the update is done after it, and what was open is answered as it was asked", async () => {
    const program = createProgram();
    mkdirSync(program.home, { recursive: true, mode: 0o700 });
    const db = new Database(program.paths.database);
    db.run(readFileSync(FIXTURE, "utf8").replaceAll("/home/you", program.root));
    db.close();
    const scene = keep(await openTaskScene("limit = 20", {}, program));
    const id = async (name: string) => {
      const { tasks } = await scene.client().call("listTasks", { query: { state: "all" } });
      return tasks.find((task) => task.order.name === name)?.id ?? "";
    };
    expect(await scene.becomes(await id("idle-settled"), isIn("done"))).toMatchObject({
      reason: "marked done by you",
    });
    await scene.becomes(await id("review-settled"), isIn("done"));
    await scene.becomes(await id("dead-settled"), ({ attempt }) => attempt === 2);
    for (const [name, label, state] of [
      ["gate", "Accept", "done"],
      ["budget", "Done", "done"],
      ["idle", "Cancel", "cancelled"],
    ] as const) {
      await scene.pick((await scene.asked(await id(name))).id, label);
      await scene.becomes(await id(name), isIn(state));
    }
    await scene.pick((await scene.asked(await id("dead"))).id, "Retry");
    await scene.becomes(await id("dead"), ({ attempt }) => attempt === 2);
    expect(await scene.task(await id("running"))).toMatchObject({ state: "in_progress", parked: false, run: 1 });
    expect(await scene.task(await id("over"))).toMatchObject({ state: "done", parked: false });
    const { asks } = await scene.client().call("listAsks", { query: { state: "open" } });
    const install = asks.find(({ match }) => match === "install claude-code");
    await scene.pick(install?.id ?? "", "Skip");
    await eventually(async () =>
      expect((await scene.ask(install?.id ?? "")).deliveries[0]?.detail).toBe("skipped; later: parley setup"),
    );
  });
});

describe("an update between a question and its answer", () => {
  test("[EF5] a task's option that was called otherwise does what it says", async () => {
    const scene = keep(await openTaskScene("limit = 20"));
    const task = await scene.give([{ stop: "Shall I go on?" }]);
    const { id } = await scene.asked(task);
    await scene.terminate();
    rewrite(scene, '"label":"Done"', '"label":"It is finished"');
    await scene.start();
    await scene.pick(id, "It is finished");
    expect(await scene.becomes(task, isIn("done"))).toMatchObject({ reason: "marked done by you" });
  });

  test("[EF6] a choice that only a later version knows ends nothing: the person is asked again", async () => {
    const scene = keep(await openTaskScene("limit = 20"));
    const task = await scene.give([{ stop: "Shall I go on?" }]);
    const { id } = await scene.asked(task);
    await scene.terminate();
    rewrite(scene, '"effect":"done"', '"effect":"hibernate"');
    await scene.start();
    await scene.pick(id, "Done");
    await eventually(async () => expect((await scene.task(task)).asks).not.toEqual([id]));
    const again = await scene.asked(task);
    expect(again.questions[0]?.options.map(({ label }) => label)).toEqual(["Go on", "Done", "Cancel"]);
    expect(await scene.task(task)).toMatchObject({ state: "waiting", waitingFor: "idle", run: 1 });
    await scene.pick(again.id, "Done");
    await scene.becomes(task, isIn("done"));
  });

  test("[EF7] Parley's own set-up: a reworded Apply writes, and what it does not know is asked again", async () => {
    const program = keep(createProgram());
    const bin = join(program.root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "claude"), "#!/bin/sh\nexit 0\n");
    chmodSync(join(bin, "claude"), 0o755);
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const settings = join(program.user, ".claude/settings.json");
    const asks = async (): Promise<AskView[]> =>
      (await program.client().call("listAsks", { query: { state: "all" } })).asks.toReversed();
    const pick = async (ask: AskView | undefined, label: string) => {
      const picks = [ask?.questions[0]?.options.findIndex((option) => option.label === label) ?? -1];
      const body = { action: "answer" as const, answers: [{ picks }] };
      await program.client().call("settleAsk", { id: ask?.id ?? "", body });
    };
    const reworded = async (from: string, to: string) => {
      await program.terminate();
      rewrite(program, from, to);
      await program.start(env);
    };
    await program.start(env);
    await program.parley(["up", "--welcome"], { env });
    await reworded('"effect":"listen"', '"effect":"whisper"');
    await pick((await asks())[0], "Claude Code");
    await eventually(async () => expect(await asks()).toHaveLength(2));
    expect((await asks())[1]).toMatchObject({ match: "welcome", state: "open" });
    await reworded('"label":"Claude Code"', '"label":"Claude"');
    await pick((await asks())[1], "Claude");
    await eventually(async () => expect(await asks()).toHaveLength(3));
    await reworded('"effect":"apply"', '"effect":"apply-to-all"');
    await pick((await asks())[2], "Apply");
    await eventually(async () => expect(await asks()).toHaveLength(4));
    expect(existsSync(settings)).toBe(false);
    await reworded('"label":"Apply"', '"label":"Write it"');
    await pick((await asks())[3], "Write it");
    await eventually(() => expect(readFileSync(settings, "utf8")).toContain('"PermissionRequest"'));
    expect(await asks()).toHaveLength(4);
  });
});

describe("what an agent says about its own options", () => {
  const options = [
    { label: "Go on", description: "as it is", effect: "cancel", target: "once" },
    { label: "Stop", description: "leave it", effect: "allow", target: "bypassPermissions" },
  ];

  test("[EF8] over the API no effect of theirs is stored", async () => {
    const program = keep(createProgram());
    await program.start();
    const question = { question: "Go?", header: "Go", multiSelect: false, options };
    const ask = await program.client("agent").call("createAsk", { body: { questions: [question] } });
    expect(ask.questions[0]?.options).toEqual([
      { label: "Go on", description: "as it is", recommended: false },
      { label: "Stop", description: "leave it", recommended: false },
    ]);
  });

  test("[EF8] with a hook no effect of theirs is stored: of a task only the Cancel that Parley adds ends it", async () => {
    const scene = keep(await openTaskScene("limit = 20"));
    const task = await scene.give([{ ask: [{ ...QUESTION, options }] }, { say: "Went on." }]);
    const ask = await scene.asked(task);
    expect(ask.questions[0]?.options.map(({ effect, target }) => [effect, target])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ["cancel", undefined],
    ]);
    await scene.becomes(task, isWaiting("question"));
    await scene.pick(ask.id, "Go on");
    await scene.becomes(task, isIn("done"));
  });
});
