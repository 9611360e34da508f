import { expect, test } from "bun:test";
import { answered, askOf, question } from "../../../../test/sample.ts";
import type { Ask } from "../../ask/ask.ts";
import type { Answer } from "../../ask/answer/answer.ts";
import type { Question } from "../../ask/question.ts";
import { templateOf } from "../trust/template.ts";
import { contradiction, keysOf, weigh } from "./precedent.ts";

const store = { ...question("Which database?", ["SQLite", "Postgres"]), header: "Store" };
const before = (asked: Question, answer: Answer, more: Partial<Ask> = {}): Ask =>
  askOf({ questions: [asked], state: "verified", outcome: answered(answer), ...more });
const sameKeys = (a: Question, b: Question) =>
  keysOf({ questions: [a] }).some((key) => keysOf({ questions: [b] }).includes(key));

test("[AL25] the same question is found again by its text and options, or by its header and options", () => {
  const spaced = { ...question("which  DATABASE ?", ["Postgres", "SQLite (Recommended)"]), header: "" };
  const renamed = { ...question("What shall hold the data?", ["SQLite", "Postgres"]), header: "store" };
  const other = { ...question("Which database?", ["SQLite", "MySQL"]), header: "Store" };
  expect([sameKeys(store, spaced), sameKeys(store, renamed), sameKeys(store, other)]).toEqual([true, true, false]);
  expect(keysOf({ questions: [store] }).every((key) => key.length <= 64)).toBe(true);
  expect(weigh(renamed, [before(store, { picks: [1] })]).answer).toEqual({ picks: [1] });
  expect(weigh(spaced, [before(store, { picks: [1] })]).answer).toEqual({ picks: [0] });
  expect(weigh(other, [before(store, { picks: [1] })]).count).toBe(0);
});

test("[AL25] a header over yes and no names no question", () => {
  const first = { ...question("Run the tests?", ["Yes", "No"]), header: "Next step" };
  const second = { ...question("Delete the branch?", ["Yes", "No"]), header: "Next step" };
  expect(sameKeys(first, second)).toBe(false);
});

test("[SF54] an answer that could not be read is no precedent", () => {
  const elsewhere = { ...answered({ picks: [], unread: '{"0":"SQLite"}' }), type: "answered-elsewhere" as const };
  const asks = [before(store, { picks: [] }, { state: "closed", outcome: elsewhere })];
  expect(weigh(store, asks)).toEqual({ count: 0, why: "it was not asked here before" });
});

test("[AL26] only a person's answer is a precedent", () => {
  const byRule = { ...answered({ picks: [0] }), actor: { type: "rule" as const, surface: "autopilot", name: "x" } };
  const declined = { ...answered({ picks: [0] }), type: "declined" as const };
  const asks = [
    before(store, { picks: [0] }, { outcome: byRule }),
    before(store, { picks: [0] }, { outcome: declined }),
  ];
  expect(weigh(store, asks)).toEqual({ count: 0, why: "it was not asked here before" });
});

test("[AL27] precedents speak only where all of them agree and what they say is still offered", () => {
  const one = before(store, { picks: [1] });
  expect(weigh(store, [one, one])).toEqual({
    count: 2,
    answer: { picks: [1] },
    why: 'answered 2 times, always the same: "Postgres"',
  });
  expect(weigh(store, [one, before(store, { picks: [0] })])).toEqual({
    count: 2,
    why: 'earlier answers contradict each other: "Postgres", "SQLite"',
  });
});

test("[TU1] a person's own words are an answer that differs, also from the same words", () => {
  const [one, typed] = [before(store, { picks: [1] }), before(store, { picks: [], text: "DuckDB" })];
  const own = { count: 2, why: 'answered in your own words before: "DuckDB"' };
  expect(weigh(store, [typed, typed])).toEqual(own);
  expect(weigh(store, [typed, one])).toEqual(own);
  expect(weigh(store, [one, typed])).toEqual({
    count: 2,
    why: 'earlier answers contradict each other: "Postgres", "DuckDB"',
  });
});

test("[TU2] after an answer that differed, five equal ones in a row speak again", () => {
  const [one, other] = [before(store, { picks: [1] }), before(store, { picks: [0] })];
  expect(weigh(store, [one, one, one, one, other, one]).answer).toBeUndefined();
  expect(weigh(store, [one, one, one, one, one, other])).toEqual({
    count: 6,
    answer: { picks: [1] },
    why: 'answered the last 5 times the same: "Postgres"',
  });
});

test("[TU3] one question with something else in its slot is the same question, with the same options only", () => {
  const asked = (about: string, labels = ["More questions", "Next area"]) =>
    question(`More questions about ${about}, or move on?`, labels);
  const [auth, cart] = [asked("the sign-in"), asked("how the cart keeps its items")];
  expect(sameKeys(auth, cart)).toBe(true);
  expect(weigh(cart, [before(auth, { picks: [1] })]).answer).toEqual({ picks: [1] });
  expect(sameKeys(auth, asked("the sign-in", ["More questions", "Stop"]))).toBe(false);
  expect(templateOf({ questions: [cart] }).title).toBe("More questions about … move on?");
  // Five words leave no room for a slot.
  const short = (name: string) => ({ ...question(`Use ${name} for the names?`, ["Yes", "No"]), header: "" });
  expect(sameKeys(short("tabs"), short("dots"))).toBe(false);
});

test("[TU4] a word in the slot that turns the question makes it another one", () => {
  const asked = (middle: string) => question(`Shall I continue ${middle} the last tests now?`, ["Yes", "No"]);
  expect(sameKeys(asked("with"), asked("by"))).toBe(true);
  for (const turn of ["without", "before", "instead of", "and never run"])
    expect(sameKeys(asked("with"), asked(turn))).toBe(false);
});

test("[AL28] an answer that contradicts all earlier ones is pointed out", () => {
  const earlier = [before(store, { picks: [1] }), before(store, { picks: [1] })];
  expect(contradiction({ questions: [store] }, [{ picks: [0] }], earlier)).toBe(
    'Answered "Postgres" 2 times before, now "SQLite"',
  );
  expect(contradiction({ questions: [store] }, [{ picks: [1], note: "as ever" }], earlier)).toBeUndefined();
  expect(contradiction({ questions: [store] }, [{ picks: [0] }], [])).toBeUndefined();
});

test("[LA2] the short way to the same question finds what its names say, and no more", () => {
  const texts = ["Which layout?", "Which layout should we take for the list?", "Something else entirely?"];
  const headers = ["Layout", "layout", "Other", ""];
  const choices = [
    ["Grid", "List"],
    ["List", "Grid"],
    ["Yes", "No"],
    ["Grid", "Table"],
  ];
  const all = texts.flatMap((text) =>
    headers.flatMap((header) => choices.map((labels) => ({ ...question(text, labels), header }))),
  );
  for (const one of all)
    for (const other of all) {
      const [mine, theirs] = [one, other].map((each) => keysOf({ questions: [each] })) as [string[], string[]];
      const earlier = askOf({ questions: [other], outcome: answered({ picks: [0] }) });
      expect(weigh(one, [earlier]).count).toBe(mine.some((key) => theirs.includes(key)) ? 1 : 0);
    }
});
