import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askOf, PERSON } from "../../../test/sample.ts";
import { EFFECTS } from "../../core/ask/effect.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { applyTaskEvent } from "../../core/task/apply-task-event.ts";
import type { Task } from "../../core/task/task.ts";
import { openSqlite } from "../../store/sqlite/open.ts";
import { budget, byWhom, dead, failed, gate, gateMessage, GO_ON, idle, resolutionOf, review } from "./escalate.ts";

const ORDER = { prompt: "x", name: "it", agent: "a", cwd: "/", priority: 0, worktree: false, review: false };
const task: Task = applyTaskEvent(undefined, { type: "task.created", order: ORDER }, { id: "t", at: 1 });
const picked = (pick: number, note?: string): Outcome => ({
  type: "answered",
  actor: PERSON,
  at: 1,
  answers: [{ picks: [pick], ...(note !== undefined && { note }) }],
});

test("[AU66] only a person's no cancels a task: what expired is asked again, and words go to the agent", () => {
  const { kind, question } = idle(task, "Shall I?");
  const resolved = (outcome: Partial<Outcome> & Pick<Outcome, "type">) =>
    resolutionOf(askOf({ kind, questions: [question], outcome: { actor: PERSON, at: 1, ...outcome } }), task);
  expect(resolved({ type: "expired" })).toEqual({ type: "again" });
  expect(resolved({ type: "chat", message: "why?" })).toEqual({ type: "message", message: "why?" });
  expect(resolved({ type: "declined" })).toEqual({ type: "cancel" });
  expect(resolved({ type: "answered", answers: [{ picks: [1] }] })).toEqual({ type: "done" });
  expect([PERSON, { type: "rule", surface: "autopilot", name: "night" } as const].map(byWhom)).toEqual([
    "by you",
    "by night",
  ]);
});

test("[EF1] every option that a task's question offers has an effect of ours, and acts by it whatever its label says", () => {
  const trouble = (kind: "rate limit" | "network" | "sign-in" | "other") => failed(task, "", { kind }, "in 1 s");
  const all = [
    idle(task, ""),
    dead(task, "", true),
    dead(task, "", false),
    ...(["rate limit", "network", "sign-in", "other"] as const).map(trouble),
    failed(task, "", { kind: "other" }, undefined),
    gate(task),
    budget(task, 1),
    review(task),
  ];
  for (const { kind, question } of all)
    for (const [pick, option] of question.options.entries()) {
      expect(EFFECTS as readonly string[]).toContain(option.effect ?? "none");
      const reworded = { ...question, options: question.options.map((one) => ({ ...one, label: "Cancel" })) };
      const resolved = (questions: (typeof question)[]) =>
        resolutionOf(askOf({ kind, questions, outcome: picked(pick) }), task);
      expect(resolved([reworded])).toEqual(resolved([question]));
      expect(resolved([reworded]).type === "cancel").toBe(option.effect === "cancel");
    }
});

test.each([undefined, "hibernate"])("[EF2] an option with the effect %p does nothing: it is asked again", (effect) => {
  const { kind, question } = idle(task, "");
  const options = question.options.map((option) => ({ ...option, effect }));
  for (const pick of options.keys())
    expect(resolutionOf(askOf({ kind, questions: [{ ...question, options }], outcome: picked(pick) }), task)).toEqual({
      type: "again",
    });
});

test("[EF3] what was stored before options had effects is read by the labels of that time", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "parley-")), "parley.db");
  const db = new Database(path);
  db.run(readFileSync(join(import.meta.dir, "../../store/sqlite/fixtures/before-effects.sql"), "utf8"));
  db.close();
  const store = openSqlite(path);
  const found: Record<string, unknown> = {};
  for (const ask of await store.list({})) {
    const own = ask.origin.task === undefined ? undefined : await store.task(ask.origin.task);
    if (own && ask.kind !== "question")
      found[own.order.name] = ask.questions[0]?.options.map(({ label }, pick) => {
        const { type, message } = { message: "", ...resolutionOf({ ...ask, outcome: picked(pick) }, own) };
        return [label, type, ...(message === "" ? [] : [message])];
      });
    else found[ask.match ?? ask.kind] = ask.questions[0]?.options.map(({ effect, target }) => [effect, target]);
  }
  const gated = (await store.tasks({})).find(({ order }) => order.name === "gate");
  const cancel = ["Cancel", "cancel"];
  const afterQuestion = [["Go on", "message", GO_ON], ["Done", "done"], cancel];
  expect(found).toEqual({
    idle: afterQuestion,
    "idle-settled": afterQuestion,
    cancelled: afterQuestion,
    dead: [["Resume", "resume"], ["Retry", "retry"], cancel],
    "dead-settled": [["Retry", "retry"], cancel],
    error: [["Wait and resume", "later"], ["Retry", "retry"], cancel],
    gate: [["Send to the agent", "message", gated && gateMessage(gated)], ["Accept", "done"], cancel],
    budget: [["Allow more", "grant"], ["Done", "done"], cancel],
    review: [["Accept", "done"], cancel],
    "review-settled": [["Accept", "done"], cancel],
    // An agent's own options, whatever they are called.
    question: [
      [undefined, undefined],
      [undefined, undefined],
      ["cancel", undefined],
    ],
    welcome: [
      ["listen", "claude-code"],
      ["listen-to-none", undefined],
    ],
    "install claude-code": [
      ["apply", undefined],
      ["skip", undefined],
    ],
  });
  await store.close();
});
