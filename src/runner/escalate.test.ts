import { expect, test } from "bun:test";
import { askOf, PERSON } from "../../test/sample.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import { applyTaskEvent } from "../core/task/apply-task-event.ts";
import { byWhom, idle, resolutionOf } from "./escalate.ts";

const ORDER = { prompt: "x", name: "it", agent: "a", cwd: "/", priority: 0, worktree: false, review: false };

test("[AU66] only a person's no cancels a task: what expired is asked again, and words go to the agent", () => {
  const task = applyTaskEvent(undefined, { type: "task.created", order: ORDER }, { id: "t", at: 1 });
  if (!task) throw new Error("no task");
  const { kind, question } = idle(task, "Shall I?");
  const resolved = (outcome: Partial<Outcome> & Pick<Outcome, "type">) =>
    resolutionOf(askOf({ kind, questions: [question], outcome: { actor: PERSON, at: 1, ...outcome } }), task);
  expect(resolved({ type: "expired" })).toEqual({ type: "again" });
  expect(resolved({ type: "chat", message: "why?" })).toEqual({ type: "message", message: "why?" });
  expect(resolved({ type: "declined" })).toEqual({ type: "cancel" });
  expect(resolved({ type: "answered", answers: [{ picks: [1] }] })).toEqual({ type: "done" });
  expect([PERSON, { type: "rule", surface: "autopilot", name: "night" } as const].map(byWhom)).toEqual([
    "by a person",
    "by night",
  ]);
});
