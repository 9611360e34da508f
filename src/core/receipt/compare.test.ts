import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { compareAnswer, decodeChoice, encodeChoice } from "./compare.ts";
import type { Question } from "../ask/question.ts";

const ask = (labels: string[], multiSelect: boolean): Question => ({
  text: "Which?",
  header: "Which",
  multiSelect,
  options: labels.map((label) => ({ label, description: "", recommended: false })),
});
const database = ask(["SQLite", "Postgres"], false);
const odd = ask(['Say "hi"', "A, B", "Plain"], true);

describe("comparing", () => {
  test("[E1] the same label is the same, another one is told", () => {
    expect(compareAnswer(database, { picks: [0] }, { labels: ["SQLite"] })).toEqual({ same: true });
    expect(compareAnswer(database, { picks: [0] }, { labels: ["Postgres"] })).toEqual({
      same: false,
      difference: 'sent "SQLite", received "Postgres"',
    });
    expect(compareAnswer(database, { picks: [0] }, { labels: [] })).toEqual({
      same: false,
      difference: 'sent "SQLite", received nothing',
    });
  });

  test("[E2] multi-select compares the set, whatever the order", () => {
    expect(compareAnswer(odd, { picks: [0, 1] }, { labels: ["A, B", 'Say "hi"'] })).toEqual({ same: true });
    expect(compareAnswer(odd, { picks: [1] }, { labels: ["A", "B"] })).toEqual({
      same: false,
      difference: 'sent "A, B", received "A", "B"',
    });
    expect(compareAnswer(odd, { picks: [2] }, { labels: ["Plain", "Plain"] })).toMatchObject({ same: false });
  });

  test("[E3] text is compared exactly", () => {
    expect(compareAnswer(database, { picks: [], text: "DuckDB" }, { labels: [], text: "DuckDB" })).toEqual({
      same: true,
    });
    expect(compareAnswer(database, { picks: [], text: "DuckDB" }, { labels: [], text: "duckdb" })).toEqual({
      same: false,
      difference: 'sent "DuckDB", received "duckdb"',
    });
    expect(compareAnswer(odd, { picks: [2], text: "x" }, { labels: ["Plain"] })).toEqual({
      same: false,
      difference: 'sent "Plain", "x", received "Plain"',
    });
  });

  test("[E4] a note is compared when one was sent", () => {
    const sent = { picks: [0], note: "soon" };
    expect(compareAnswer(database, sent, { labels: ["SQLite"], note: "soon" })).toEqual({ same: true });
    expect(compareAnswer(database, { picks: [0] }, { labels: ["SQLite"], note: "x" })).toEqual({ same: true });
    expect(compareAnswer(database, sent, { labels: ["SQLite"] })).toEqual({
      same: false,
      difference: 'sent note "soon", received no note',
    });
    expect(compareAnswer(database, sent, { labels: ["Postgres"], note: "late" })).toEqual({
      same: false,
      difference: 'sent "SQLite", received "Postgres"; sent note "soon", received note "late"',
    });
  });

  test("[E5] free text that spells a label equals that label", () => {
    expect(compareAnswer(database, { picks: [], text: "SQLite" }, { labels: ["SQLite"] })).toEqual({ same: true });
  });
});

describe("decoding", () => {
  test("[E6] single-select is an exact label or free text, never split or unquoted", () => {
    expect(decodeChoice(database, "SQLite")).toEqual({ labels: ["SQLite"] });
    expect(decodeChoice(database, "SQLite, Postgres")).toEqual({ labels: [], text: "SQLite, Postgres" });
    expect(decodeChoice(database, '"x"')).toEqual({ labels: [], text: '"x"' });
    expect(decodeChoice(database, "")).toEqual({ labels: [] });
  });

  test("[E7] multi-select reads the quoting form", () => {
    expect(decodeChoice(odd, '"Say \\"hi\\"", "A, B", Plain')).toEqual({ labels: ['Say "hi"', "A, B", "Plain"] });
    expect(decodeChoice(odd, 'Plain, "my, own"')).toEqual({ labels: ["Plain"], text: "my, own" });
    expect(decodeChoice(ask(["A,B", "C"], true), "A,B, C, x,y")).toEqual({ labels: ["A,B", "C"], text: "x,y" });
  });

  test("[E8] multi-select reads the plain form, the longest label first", () => {
    expect(decodeChoice(odd, 'Say "hi", A, B, Plain')).toEqual({ labels: ['Say "hi"', "A, B", "Plain"] });
    expect(decodeChoice(odd, "Plain,A, B")).toEqual({ labels: ["Plain", "A, B"] });
    expect(decodeChoice(odd, "A, B, my, own")).toEqual({ labels: ["A, B"], text: "my, own" });
    expect(decodeChoice(odd, '"unclosed, Plain')).toEqual({ labels: ["Plain"], text: '"unclosed' });
  });

  test("[E9] an element that is no label is free text", () => {
    expect(decodeChoice(odd, "Plain, mine")).toEqual({ labels: ["Plain"], text: "mine" });
    expect(decodeChoice(ask([], true), "a, b")).toEqual({ labels: [], text: "a, b" });
  });
});

describe("encoding", () => {
  test("[E10] quoting is for multi-select elements with a comma and space, or a quote", () => {
    const all = { picks: [0, 1, 2], text: "x, y" };
    expect(encodeChoice(odd, all, "quoted")).toBe('"Say \\"hi\\"", "A, B", Plain, "x, y"');
    expect(encodeChoice(odd, all, "plain")).toBe('Say "hi", A, B, Plain, x, y');
    expect(encodeChoice(ask(["A, B"], false), { picks: [0] }, "quoted")).toBe("A, B");
    expect(encodeChoice(ask(["A,B", "back\\slash"], true), { picks: [0, 1], text: "x,y" }, "quoted")).toBe(
      "A,B, back\\slash, x,y",
    );
    expect(encodeChoice(database, { picks: [], text: '"x"' }, "quoted")).toBe('"x"');
  });

  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", ",", " ", '"', "\\", "é", "😀"), maxLength: 8 }),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const label = piece.map((text) => text.trim()).filter((text) => text !== "");
  const choice = fc
    .uniqueArray(label, { minLength: 1, maxLength: 5 })
    .chain((words) => fc.tuple(fc.constant(words), fc.boolean(), fc.boolean(), fc.subarray([...words.keys()])))
    .map(([words, multiSelect, hasText, chosen]) => {
      const labels = hasText ? words.slice(1) : words;
      const picks = chosen.filter((pick) => pick < labels.length).slice(0, multiSelect ? 5 : 1);
      const question = ask(labels, multiSelect);
      const withText = hasText && (multiSelect || picks.length === 0);
      return { question, answer: withText ? { picks, text: words[0] ?? "" } : { picks } };
    });

  test("[E11] decoding the quoted form gives back what was encoded", () => {
    fc.assert(
      fc.property(choice, ({ question, answer }) => {
        const decoded = decodeChoice(question, encodeChoice(question, answer, "quoted"));
        expect(decoded.labels).toEqual(answer.picks.map((pick) => question.options[pick]?.label ?? ""));
        expect(decoded.text).toBe(answer.text);
        expect(compareAnswer(question, answer, decoded)).toEqual({ same: true });
      }),
      { numRuns: 5000 },
    );
  });

  test("[E12] a megabyte of quotes and commas is read like a short text", () => {
    const many = (part: string) => part.repeat((1 << 20) / part.length);
    expect(decodeChoice(odd, many("Plain, ")).labels).toHaveLength(149_796);
    expect(decodeChoice(odd, many(", "))).toEqual({ labels: [] });
    for (const part of ['"', '\\"', '"\\', "Plain,"])
      expect(decodeChoice(odd, many(part)).text === many(part)).toBe(true);
    expect(decodeChoice(odd, many('"a", ')).text === many('"a", ').slice(0, -2)).toBe(true);
  });
});
