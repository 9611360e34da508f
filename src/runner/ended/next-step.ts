import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Phase, phaseOf, type Phases } from "../../core/autopilot/rule/phase.ts";
import { makeId } from "../../core/id.ts";
import type { Task } from "../../core/task/task.ts";
import type { NewTask } from "../new-task.ts";
import { workdirOf } from "../run/runs.ts";

/** What a workflow wants done next: a command of its own, and the phase that begins with it. */
export type NextStep = { command: string; phase: Phase };

/** So many tasks follow each other; then a person begins anew. */
export const MOST_LINKED = 20;
const LAST_LINES = 30;
/** A command of a known workflow and up to three plain words: an agent wrote it, and it becomes a prompt. */
const COMMAND = /(?:^|[\s`"'(*])(\/[a-z][\w:.-]{1,60}(?:[ \t]+[\w.]{1,40}){0,3})/gi;

/** The last that is named, where the agent's last words name one. */
export function nextStepIn(said: string, phases: Phases): NextStep | undefined {
  const lines = said.split("\n").slice(-LAST_LINES).toReversed();
  for (const line of lines)
    for (const [, found = ""] of [...line.slice(0, 500).matchAll(COMMAND)].toReversed()) {
      const phase = phaseOf(found, phases);
      if (phase) return { command: withoutProse(found), phase };
    }
  return undefined;
}

/** "/gsd:plan-phase 3 to go on" is "/gsd:plan-phase 3". */
function withoutProse(found: string): string {
  const [name = "", ...words] = found.trim().split(/[ \t]+/);
  const prose = words.findIndex((word) => !/\d/.test(word));
  const own = prose < 0 ? words : words.slice(0, prose);
  return [name, ...own.map((word) => word.replace(/\.+$/, ""))].join(" ");
}

/** Contract: the same task for the same end of the one before, however often it is made. */
export function followingTask(task: Task, command: string, home: string): NewTask {
  const { order, run } = task;
  const id = makeId(createHash("sha256").update(`${task.id} ${run} next`).digest());
  const place = { cwd: workdirOf(task), worktree: false };
  const link = { follows: task.id, linked: (order.linked ?? 0) + 1 };
  return {
    id,
    order: { ...order, ...place, ...link, prompt: command, name: command },
    environment: environmentOf(task.id, home),
  };
}

function environmentOf(id: string, home: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(home, "tasks", id, "environment.json"), "utf8")) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}
