import { expect, test } from "bun:test";
import { question } from "../../../test/sample.ts";
import { canTakeBack } from "../hub-ask.ts";
import { answeredWords, askedOfWords, asleepWords, becameWords } from "./hub-words.ts";

const NOW = 1_000_000;
const machine = { name: "laptop", online: false, seenAt: NOW - 120_000 };
const sentence = "… waiting for an answer for 5 s";
const intent = (state: string, detail?: string) => ({ state, member: "Ann", at: NOW - 3000, detail });

test("[HP10] what became of an answer through a hub is said of the answer, not of the question that its machine last told of", () => {
  const said = (ask: object) => becameWords({ machine, sentence, ...ask }, NOW);
  expect(said({ intent: intent("sent") })).toBe("… Ann answered 3 s ago; laptop hears it when it wakes");
  expect(said({ intent: intent("withdrawn", "Nobody waits") })).toBe(
    "✗ Ann's answer came to nothing on laptop: Nobody waits",
  );
  expect(said({ intent: intent("received") })).toBe("✓ Ann answered 3 s ago; received by laptop");
  // Its machine knows more: also that the agent received something else.
  const told = { outcome: {}, sentence: "✗ Claude Code received something else: No" };
  expect(said({ intent: intent("received"), ...told })).toBe(told.sentence);
  for (const state of ["withdrawn", "overtaken"]) expect(said({ intent: intent(state), ...told })).toBe(told.sentence);
});

test("[HP11] a question that somebody is on does not go on meanwhile", () => {
  const route = { steps: [{ type: "member", name: "Bob" }], step: 0, people: [{ id: "bob" }], next: NOW + 13_000 };
  const claim = { id: "ann", member: "Ann", until: NOW + 60_000 };
  expect(askedOfWords({ route }, NOW)).toBe("asked of Bob; goes on in 13 s");
  expect(askedOfWords({ route, claim }, NOW)).toBe("asked of Bob");
  expect(askedOfWords({ route, claim: { ...claim, until: NOW } }, NOW)).toContain("goes on in 13 s");
  expect(askedOfWords({}, NOW)).toBe("");
});

test("[HP11] a machine is asleep for some time; of one that has just gone no time is said", () => {
  expect(asleepWords(machine, NOW)).toBe("asleep for 2 min");
  expect(asleepWords({ ...machine, seenAt: NOW }, NOW)).toBe("asleep");
  expect(asleepWords({ ...machine, online: true }, NOW)).toBe("");
  const sent = { intent: intent("sent"), machine, questions: [question("Deploy?", ["Yes"])] };
  expect(answeredWords(sent, NOW)).toBe("… sent to laptop (asleep for 2 min)");
});

test("[HP10] an answer on its way is taken back by who gave it, and by nobody else", () => {
  const may = (state: string, name: string) => canTakeBack({ intent: intent(state) }, { id: "x", name });
  expect([may("sent", "Ann"), may("sent", "Bob"), may("received", "Ann"), may("withdrawn", "Ann")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
