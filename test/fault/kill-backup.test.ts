import { afterEach, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stoppedAt } from "../../src/machine/program/stopped.ts";
import { inspectDatabase } from "../../src/store/sqlite/copy.ts";
import { question } from "../e2e/api-request.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";

const opened: Program[] = [];
afterEach(async () => {
  for (const program of opened.splice(0)) await program.dispose();
});

/** More than any of these commands needs. */
const MOST_STEPS = 60;
const MARK = "all-seen";
/** What a restore touches itself; the daemon that ends and the one that starts have files enough of their own. */
const OWN = /^(stopped|parley\.db($|\.))/;

async function startHome(): Promise<Program> {
  const program = createProgram();
  opened.push(program);
  await program.start();
  return program;
}

const create = (program: Program) => program.client("agent").call("createAsk", { body: { questions: [question()] } });
const idsOf = async (program: Program) =>
  (await program.client().call("listAsks", { query: { state: "all", limit: 500 } })).asks.map(({ id }) => id);

/**
 * Kills the command when files of these names have come or gone so many times. `done`: it never came so far; `late`: it did,
 * and had ended when that was seen.
 */
async function killAtStep(
  program: Program,
  args: string[],
  folder: string,
  step: number,
  names = /./,
): Promise<"killed" | "late" | "done"> {
  let seen = 0;
  const { promise: hasSeenAll, resolve } = Promise.withResolvers<void>();
  const child = program.spawn(args);
  const watching = watch(folder, (kind, name) => {
    if (name === MARK) return resolve();
    if (kind === "rename" && names.test(String(name)) && ++seen === step) child.kill("SIGKILL");
  });
  await child.exited;
  // What happened before comes before this.
  writeFileSync(join(folder, MARK), "");
  await hasSeenAll;
  watching.close();
  rmSync(join(folder, MARK));
  if (child.signalCode === "SIGKILL") return "killed";
  return seen >= step ? "late" : "done";
}

test("[EN3] a restore that is killed at any step leaves the old database or the new one, and Parley is not off", async () => {
  const program = await startHome();
  const { id } = await create(program);
  await program.parley(["backup", "b.db"]);
  let kills = 0;
  for (let step = 1; step < MOST_STEPS; step++) {
    const later = await create(program);
    const before = await idsOf(program);
    const ended = await killAtStep(program, ["restore", "b.db", "--stop"], program.home, step, OWN);
    // A command of anybody's, as the next hook would.
    expect(await program.parley(["ls"])).toMatchObject({ code: 0, err: "" });
    const after = await idsOf(program);
    expect([before, [id]]).toContainEqual(after);
    expect(before).toContain(later.id);
    expect(stoppedAt(program.paths)).toBeUndefined();
    expect(readdirSync(program.home).filter((name) => name.includes("restoring"))).toEqual([]);
    if (ended === "done") break;
    if (ended === "killed") kills++;
  }
  expect(kills).toBeGreaterThan(3);
  expect(kills).toBeLessThan(MOST_STEPS - 1);
});

test("[EN4] a restart that is killed at any step stops nothing for good", async () => {
  const program = await startHome();
  let kills = 0;
  for (let step = 1; step < MOST_STEPS; step++) {
    const ended = await killAtStep(program, ["restart"], program.home, step, OWN);
    expect(await program.parley(["ls"])).toMatchObject({ code: 0, err: "" });
    expect(stoppedAt(program.paths)).toBeUndefined();
    if (ended === "done") break;
    if (ended === "killed") kills++;
  }
  expect(kills).toBeGreaterThan(0);
  expect(await holds(() => !existsSync(program.paths.stopped))).toBe(true);
});

test("[EN5] a backup that is killed at any step leaves a whole file or none, and the next one removes what is left", async () => {
  const program = await startHome();
  await create(program);
  const file = join(program.user, "b.db");
  const names = () => readdirSync(program.user).filter((name) => name.includes("b.db"));
  let kills = 0;
  for (let step = 1; step < MOST_STEPS; step++) {
    rmSync(file, { force: true });
    const ended = await killAtStep(program, ["backup", "b.db"], program.user, step);
    if (existsSync(file)) expect(inspectDatabase(file)).toMatchObject({ asks: 1 });
    if (ended === "done") break;
    if (ended === "killed") kills++;
  }
  expect(kills).toBeGreaterThan(0);
  expect((await program.parley(["backup", "b.db", "--force"])).code).toBe(0);
  expect(names()).toEqual(["b.db"]);

  // On its way to stdout it lies in the home for a moment.
  const child = program.spawn(["backup", "-"]);
  const watching = watch(program.home, (_kind, name) => {
    if (name?.includes("unfinished")) child.kill("SIGKILL");
  });
  await child.exited;
  watching.close();
  await program.parley(["backup", "-"]);
  expect(readdirSync(program.home).filter((name) => name.includes("unfinished"))).toEqual([]);
});
