import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { createTaskStage, DATABASE, isDone, isWaiting, type TaskStage } from "../e2e/tasks-stage.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose());

test("[TD17] tasks are in the inbox: seen, answered, their work looked at, applied and discarded", async () => {
  const inbox = onScreen(stage, { columns: 100, rows: 24 });
  await inbox.shows("Waiting 0");
  // Nobody has given any work yet.
  expect(await inbox.screen()).not.toContain("Tasks");
  const finished = async (name: string) => {
    const steps = [{ write: `${name}.txt`, text: "line of it\n" }, { say: "All is done." }];
    const { id } = await stage.run(steps, "--worktree", "--name", name);
    return stage.becomes(id, isDone);
  };
  await finished("limits");
  const { workdir } = await finished("throwaway");
  await stage.run([{ ask: [DATABASE] }, { say: "Asked." }], "--name", "asker");
  await stage.becomes("asker", isWaiting);

  await inbox.shows("Tasks 3");
  inbox.press("[");
  await inbox.shows(/●asker[^]*waiting: question[^]*throwaway[^]*not applied[^]*limits/);
  await inbox.shows("Enter answer");
  inbox.press("\r");
  await inbox.shows("( ) 1. SQLite");
  await guardOver();
  inbox.press("\r");
  await stage.becomes("asker", isDone);

  await inbox.shows(/asker[^]*done/);
  inbox.press("G");
  await inbox.shows("v diff  a apply  x discard");
  inbox.press("v");
  await inbox.shows(/limits: 1 file \+1 -0[^]*\+line of it/);
  inbox.press("q");
  expect(await holds(async () => !(await inbox.screen()).includes("any other key closes"))).toBe(true);
  inbox.press("a");
  await inbox.shows("✓ limits: applied: 1 file changed in");
  expect(readFileSync(join(stage.project, "limits.txt"), "utf8")).toBe("line of it\n");

  inbox.press("k");
  await inbox.shows(/❯.throwaway/);
  inbox.press("x");
  await inbox.shows("Discard 1 file +1 -0?");
  await guardOver();
  inbox.press("y");
  await inbox.shows("✓ throwaway: discarded");
  await inbox.shows("git branch restored");
  expect(existsSync(workdir?.root ?? "")).toBe(false);
  inbox.press("q");
  await inbox.child.exited;
});
