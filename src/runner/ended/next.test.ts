import { describe, expect, test } from "bun:test";
import { Config, type TaskSettings } from "../../core/config/config.ts";
import { applyTaskEvent } from "../../core/task/apply-task-event.ts";
import type { Task, TaskEvent } from "../../core/task/task.ts";
import { nextOf } from "./next.ts";
import { troubleOf } from "./trouble.ts";

const ORDER = { prompt: "x", name: "it", agent: "a", cwd: "/", priority: 0, worktree: false, review: false };
const usage = { turns: 1, inputTokens: 1, outputTokens: 1, costUsd: 0.5 };
const told = (...events: TaskEvent[]): Task => {
  const all: TaskEvent[] = [{ type: "task.created", order: ORDER }, ...events];
  const task = all.reduce<Task | undefined>((so, event) => applyTaskEvent(so, event, { id: "t", at: 1000 }), undefined);
  if (!task) throw new Error("no task");
  return task;
};
const started: TaskEvent = { type: "task.started", session: "s", start: { how: "prompt" } };
const stopped = (end: object, said = "Ok."): TaskEvent => ({
  type: "task.stopped",
  usage,
  said,
  end: { ok: true, told: true, code: 0, ...end },
});
const settings = (more: Partial<TaskSettings> = {}): TaskSettings => ({ ...Config.parse({}).tasks, ...more });
const next = (task: Task, more: Partial<TaskSettings> = {}, canResume = true) =>
  nextOf(task, { settings: settings(more), canResume, now: 5000 });

describe("what follows when an agent has stopped", () => {
  test("[TK2] finished is done; with a check it is checked first, with a review a person looks", () => {
    const task = told(started, stopped({}));
    expect(next(task)).toEqual({ do: "finish" });
    const gated = { ...task, order: { ...task.order, gate: "npm test" } };
    expect(next(gated)).toEqual({ do: "check" });
    expect(next({ ...gated, checked: { ok: true, code: 0, output: "" } })).toEqual({ do: "finish" });
    expect(next({ ...task, order: { ...task.order, review: true } })).toMatchObject({
      do: "ask",
      escalation: { kind: "review" },
    });
  });

  test("[TX35] what could not be started is told so, and can only be tried again", () => {
    const task = told(started, stopped({ ok: false, told: false, code: 127, errors: "claude: not found" }, ""));
    expect(next(task, {}, false)).toMatchObject({
      do: "ask",
      escalation: {
        kind: "dead",
        question: {
          text: "it could not be started. What now?",
          body: "claude: not found",
          options: [{ label: "Retry" }, { label: "Cancel" }],
        },
      },
    });
  });

  test.each([
    ["on_idle", stopped({}, "Shall I?"), "idle"],
    ["on_dead", stopped({ ok: false, told: false, code: null }), "dead"],
    ["on_error", stopped({ ok: false, code: 1 }, "API Error: 529 overloaded"), "error"],
  ] as const)(
    "[TK3] %s: a person is asked unless the settings say otherwise, and again after the limit",
    (key, end, kind) => {
      const task = told(started, end);
      const ask = { do: "ask", escalation: { kind } };
      expect(next(task)).toMatchObject(ask);
      expect(next(task, { [key]: "cancel" })).toEqual({ do: "cancel", reason: `cancelled by ${key}` });
      expect(next(task, { [key]: "retry" })).toEqual({ do: "later", at: 35_000, by: "retry" });
      expect(next({ ...task, tries: 2 }, { [key]: "retry" })).toEqual({ do: "later", at: 125_000, by: "retry" });
      expect(next({ ...task, tries: 3 }, { [key]: "retry" })).toMatchObject(ask);
      const onwards = key === "on_idle" ? "nudge" : "resume";
      expect(next(task, { [key]: onwards })).toMatchObject({ do: key === "on_idle" ? "tell" : "later" });
      expect(next(task, { [key]: onwards }, false)).toMatchObject({ do: "later", by: "retry" });
    },
  );

  test("[TK3] a rate limit that says when it ends is waited for", () => {
    const task = told(started, stopped({ ok: false, code: 1 }, "Claude AI usage limit reached|1794800000"));
    expect(next(task, { on_error: "resume" })).toEqual({ do: "later", at: 1_794_800_000_000, by: "resume" });
  });

  test("[TK2] a question that an earlier run ended with is not asked again by one that said nothing", () => {
    expect(next(told(started, stopped({}, "Shall I?")))).toMatchObject({ do: "ask" });
    expect(next(told(started, stopped({ silent: true }, "Shall I?")))).toEqual({ do: "finish" });
  });

  test.each([
    "Which database do you prefer, Postgres or SQLite? Let me know and I will go on.",
    "Which one should I use?\n\n1. Postgres\n2. SQLite",
    "Which one should I use?\n\n1. Postgres\n\n   needs a server\n\n2. SQLite\n\n3. Files",
    "Which one?\n- Postgres\n- SQLite\n\nI would take SQLite.",
    "Open points:\n\n- Should the cache stay?\n- Which port should it have?",
    "Should I run this?\n\n```sh\nrm -r build\n```",
    "I stopped.\n\n```\nWhich one should I use?",
    "Please confirm that I may delete it.",
    "Tell me which one you want.",
    "Let me know if I should go on.",
    "**Shall I?**",
    "## Which one should I use?\n\n- Postgres\n- SQLite",
    "続けますか？教えてください。",
  ])("[TC50] a question in prose at the end: %p", (said) => {
    expect(next(told(started, stopped({}, said)))).toMatchObject({ do: "ask", escalation: { kind: "idle" } });
  });

  test.each([
    "All tests pass. Done.",
    "I added a FAQ entry called 'Why?' and finished.",
    "I renamed `isDone?` to `isOver`, and replaced `a ? b : c`.",
    "See https://example.com/?a=b for it.",
    "## What changed?\n\n- the port\n- the name",
    "```\nWhy?\n```\nDone.",
    "Why did it fail? The port was taken.\n\nIt is free now.",
    "Done. Let me know if you have any questions.",
  ])("[TC50] no question: %p", (said) => {
    expect(next(told(started, stopped({}, said)))).toEqual({ do: "finish" });
  });

  test("[TC53] why it failed is said also where it cannot be resumed", () => {
    const task = told(started, stopped({ ok: false, code: 1 }, "API Error: Request rejected (429)"));
    const text = "it failed (rate limit) and cannot be resumed. What now?";
    expect(next(task, {}, false)).toMatchObject({ do: "ask", escalation: { question: { text } } });
  });

  test("[TK4] what it has cost counts only while it is not finished", () => {
    const task = told(started, stopped({}));
    expect(next({ ...task, budgetUsd: 0.4 })).toEqual({ do: "finish" });
    const stuck = told(started, stopped({ ok: false, overBudget: true }));
    expect(next({ ...stuck, budgetUsd: 0.5 })).toMatchObject({ do: "ask", escalation: { kind: "budget" } });
  });
});

test("[TK5] what went wrong is known by the agent's own words", () => {
  // As 2.1.325 and 2.1.197 say it, but for the last ones.
  const kinds = {
    "API Error: Request rejected (429) · No.": "rate limit",
    "API Error: 529 No. This is a server-side issue, usually temporary — try again in a moment.": "rate limit",
    "Failed to authenticate. API Error: 401 No.": "sign-in",
    "API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)": "network",
    "API Error: Unable to connect to API (ConnectionRefused)": "network",
    "Claude AI usage limit reached|1794800000": "rate limit",
    "Invalid API key · Please run /login": "sign-in",
    "Request timed out.": "network",
    "TypeError: x is not a function": "other",
  } as const;
  expect(Object.keys(kinds).map((text) => troubleOf(text).kind)).toEqual(Object.values(kinds));
});

test("[TK6] a policy's tries are counted until a person decides, also through the queue", () => {
  const died = stopped({ ok: false, told: false, code: 1 });
  const delayed: TaskEvent = { type: "task.delayed", until: 9, by: "retry", auto: true };
  const again: TaskEvent[] = [died, delayed, { type: "task.retried", auto: true }, started];
  expect(told(started, ...again).tries).toBe(1);
  expect(told(started, ...again, ...again)).toMatchObject({ tries: 2, attempt: 3, run: 3 });
  expect(told(started, ...again, died, { type: "task.retried" }, started).tries).toBe(0);
  const message: TaskEvent = { type: "task.started", session: "s", start: { how: "message", message: "m" } };
  expect(told(started, died, { ...message, auto: true }, died, { ...message, auto: true }).tries).toBe(2);
  expect(told(started, died, { ...message, auto: true }, died, message).tries).toBe(0);
});
