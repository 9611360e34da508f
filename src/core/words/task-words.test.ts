import { expect, test } from "bun:test";
import type { LogEvent } from "../ask/event.ts";
import { byteSize, counted, dollars, exactDollars, shortCount } from "./number.ts";
import { taskHistory } from "./task-event-words.ts";
import { ageOf, agoWords } from "./time.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1k"],
  [1240, "1.2k"],
  [35_400, "35k"],
  [999_499, "999k"],
  [999_500, "1M"],
  [1_000_000, "1M"],
  [12_340_000, "12M"],
])("[CN10] a count of %d is short on every surface: %s", (count, words) => {
  expect(shortCount(count)).toBe(words);
});

test("[CN11] counts, money, sizes and ages have one form", () => {
  expect([counted(1, "turn"), counted(2, "turn")]).toEqual(["1 turn", "2 turns"]);
  expect([dollars(0.421), exactDollars(0), exactDollars(0.004), exactDollars(2)]).toEqual([
    "$0.42",
    "$0.00",
    "$0.004",
    "$2.00",
  ]);
  expect([byteSize(1), byteSize(2048), byteSize(1_500_000)]).toEqual(["1 byte", "2 KiB", "1.4 MiB"]);
  expect([ageOf(1000, 1999), ageOf(1000, 3900), agoWords(1000, 1999), agoWords(1000, 3900)]).toEqual([
    "now",
    "2 s",
    "now",
    "2 s ago",
  ]);
});

test("[CN12] a task's history says who did what, also of what a later Parley wrote", () => {
  const person = { type: "person", surface: "web" };
  const question = { text: "Which?", header: "", multiSelect: false, options: [{ label: "A" }] };
  const outcome = { type: "answered", at: 4, actor: person, answers: [{ picks: [0] }] };
  const data = [
    { type: "task.created" },
    { type: "task.started", start: { how: "prompt" } },
    { type: "ask.captured", ask: "q1", questions: [question] },
    { type: "ask.held", ask: "q1" },
    { type: "task.stopped", end: { ok: true, deferred: "toolu_1", code: 0 } },
    { type: "ask.settled", ask: "q1", outcome },
    { type: "task.started", start: { how: "deferred" }, auto: true },
    { type: "task.stopped", end: { ok: false, code: 3 } },
    { type: "task.waiting", for: "gate" },
    { type: "task.dreamt" },
    { type: "task.ended", state: "cancelled", reason: "no more\u001b[31m" },
  ];
  const events = data.map(({ ask, ...rest }: { type: string; ask?: string }, i): LogEvent => {
    return { seq: i, at: i, v: 1, type: rest.type, data: rest, ...(ask !== undefined && { ask }) };
  });
  expect(taskHistory(events).map(({ at, words, ask = "" }) => `${at} ${ask} ${words}`)).toEqual([
    "0  created",
    "1  agent started",
    "2 q1 asked: Which?",
    "4  agent parked until there is an answer",
    "5 q1 answered by a person (web): A",
    "6  agent continues with the answer by a policy",
    "7  agent ended with exit code 3",
    "8  waits: check failed",
    "9  task.dreamt",
    "10  cancelled: no more",
  ]);
});
