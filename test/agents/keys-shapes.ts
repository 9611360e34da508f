import type { Answer } from "../../src/core/ask/answer/answer.ts";
import { question, type ToolQuestion } from "./stage.ts";

/** One shape of the dialog, what is meant, and what the model must receive; or why nothing may be pressed. */
export type Shape = {
  size: readonly [width: number, height: number];
  questions: readonly ToolQuestion[];
  /** A second call in the same message: its dialog comes after the first, or before it. */
  stacked?: readonly ToolQuestion[];
  answers?: readonly Answer[];
  chat?: string;
  /** By version where they differ. */
  received: string | Readonly<Record<string, string>>;
  /** By version: what it must say instead of pressing any key. */
  refused?: Readonly<Record<string, RegExp>>;
  /** By version: where it may also stop half-way, because this version leaves old characters on its screen. */
  mayStop?: Readonly<Record<string, RegExp>>;
};
/** Seen on 2.1.197: `❯    Nextfit`, `❯n1. Submit answers/↓ to navigate`. */
const GARBLED = { "2.1.197": /not there|does not know|Parley knows|does not explain/ };

const USUAL = [100, 40] as const;
const [NARROW, TALL, LOW] = [[40, 34] as const, [60, 70] as const, [80, 12] as const];

const approach = question("Which approach should we use?", ["Option A", "Option B", "Option C"], {
  header: "Approach",
});
const features = question("Which features do you want?", ["Auth", "Search", "Export"], {
  header: "Features",
  multiSelect: true,
});
const database = question("Which database?", ["SQLite", "Postgres", "MySQL", "DuckDB"], { header: "Database" });
const greetings = question("Which greetings?", ['Say "hi"', "A, B", "Plain", "None"], {
  header: "Greetings",
  multiSelect: true,
});
const styles = question(
  "Which of the many styles shall the new pages have from now on?",
  ["One", "Two", "Three", "Four"],
  {
    header: "Style",
  },
);
const layout: ToolQuestion = {
  ...question("Which layout do you like?", [], { header: "Layout" }),
  options: [
    { label: "Grid", description: "Two columns", preview: "+--+--+\n|a |b |\n+--+--+" },
    { label: "List", description: "One column", preview: "- a\n- b" },
    { label: "Cards", description: "Many", preview: "[a] [b]" },
  ],
};
const long = (multiSelect: boolean): ToolQuestion => ({
  ...question("Which of these, 日本語で?\nThere are two lines.", [], { header: "Long", multiSelect }),
  options: [1, 2, 3].map((n) => ({
    label: `Number ${n}, with a long label that wraps over more than one line of a narrow terminal`,
    description: "A description that goes on and on, so that it must wrap too, and then ends",
  })),
});
const label = (n: number) => long(false).options[n]?.label ?? "";

const answered = (pairs: readonly (readonly [string, string])[]) =>
  `Your questions have been answered: ${pairs.map(([q, a]) => `"${q}"="${a}"`).join(", ")}. You can now continue`;
const picked = (each: ToolQuestion, answer: string) => answered([[each.question, answer]]);
/** What the model reads when own words are among the answers differs between the versions; the pairs do not. */
const holds = (...pairs: readonly (readonly [ToolQuestion, string])[]) =>
  pairs.map(([{ question: text }, answer]) => `"${text}"="${answer}"`).join(", ");

export const SHAPES: Readonly<Record<string, Shape>> = {
  "lone single-select, first": {
    size: USUAL,
    questions: [approach],
    answers: [{ picks: [0] }],
    received: picked(approach, "Option A"),
  },
  "lone single-select, last": {
    size: USUAL,
    questions: [approach],
    answers: [{ picks: [2] }],
    received: picked(approach, "Option C"),
  },
  "own words": {
    size: USUAL,
    questions: [approach],
    answers: [{ picks: [], text: 'neither; it\'s "$(this)" \\ 1. 日本語 🦊;' }],
    received: holds([approach, 'neither; it\'s "$(this)" \\ 1. 日本語 🦊;']),
  },
  "own words, long": {
    size: USUAL,
    questions: [approach],
    answers: [{ picks: [], text: "word ".repeat(60).trim() }],
    received: holds([approach, "word ".repeat(60).trim()]),
  },
  "multi-select": {
    size: USUAL,
    questions: [features],
    answers: [{ picks: [0, 2] }],
    received: picked(features, "Auth, Export"),
  },
  "multi-select with own words": {
    size: USUAL,
    questions: [features],
    answers: [{ picks: [1], text: "plus mine" }],
    received: holds([features, "Search, plus mine"]),
  },
  "multi-select, only own words": {
    size: USUAL,
    questions: [features],
    answers: [{ picks: [], text: "only mine" }],
    received: holds([features, "only mine"]),
  },
  "multi-select, commas and quotes": {
    size: USUAL,
    questions: [greetings],
    answers: [{ picks: [0, 1] }],
    received: {
      "2.1.325": holds([greetings, '"Say \\"hi\\"", "A, B"']),
      "2.1.197": holds([greetings, 'Say "hi", A, B']),
    },
  },
  preview: { size: USUAL, questions: [layout], answers: [{ picks: [1] }], received: `"${layout.question}"="List"` },
  "preview with a note": {
    size: USUAL,
    questions: [layout],
    answers: [{ picks: [2], note: "dense please" }],
    received: "dense please",
    refused: { "2.1.197": /loses the option when a note is added/ },
  },
  "form with tabs": {
    size: USUAL,
    questions: [database, features],
    answers: [{ picks: [3] }, { picks: [1] }],
    received: answered([
      [database.question, "DuckDB"],
      [features.question, "Search"],
    ]),
  },
  "four questions of four options": {
    size: USUAL,
    questions: [styles, features, database, greetings],
    answers: [{ picks: [3] }, { picks: [0, 1, 2] }, { picks: [], text: "LMDB" }, { picks: [2, 3] }],
    received: holds(
      [styles, "Four"],
      [features, "Auth, Search, Export"],
      [database, "LMDB"],
      [greetings, "Plain, None"],
    ),
  },
  "form with a preview": {
    size: USUAL,
    questions: [layout, database],
    answers: [{ picks: [0] }, { picks: [1] }],
    received: `"${layout.question}"="Grid"`,
  },
  chat: { size: USUAL, questions: [approach], chat: "Neither fits; why not both?", received: "wants to clarify" },
  "chat about a form": {
    size: USUAL,
    questions: [features, database],
    chat: "What is it for?",
    received: "wants to clarify",
  },
  "chat beside a preview": { size: USUAL, questions: [layout], chat: "Show more", received: "wants to clarify" },
  "two dialogs stacked": {
    size: USUAL,
    questions: [approach],
    stacked: [database],
    answers: [{ picks: [1] }],
    received: picked(approach, "Option B"),
  },
  "narrow, labels that wrap": {
    size: NARROW,
    questions: [long(false)],
    answers: [{ picks: [1] }],
    received: `"="${label(1)}"`,
  },
  "narrow, several that wrap": {
    size: NARROW,
    questions: [long(true)],
    answers: [{ picks: [0, 2] }],
    received: label(2),
  },
  "narrow, form of four": {
    size: NARROW,
    questions: [styles, features, database, greetings],
    answers: [{ picks: [1] }, { picks: [2], text: "own words" }, { picks: [0] }, { picks: [2] }],
    received: holds([styles, "Two"], [features, "Export, own words"], [database, "SQLite"], [greetings, "Plain"]),
  },
  "narrow, own words that wrap": {
    size: NARROW,
    questions: [features, database],
    answers: [{ picks: [2], text: "and more of my own words than fit into a line" }, { picks: [0] }],
    received: holds([features, "Export, and more of my own words than fit into a line"], [database, "SQLite"]),
    mayStop: GARBLED,
  },
  "narrow preview": {
    size: NARROW,
    questions: [layout],
    answers: [{ picks: [1] }],
    received: `"${layout.question}"="List"`,
  },
  "tall, labels that wrap": {
    size: TALL,
    questions: [long(false)],
    answers: [{ picks: [2] }],
    received: `"="${label(2)}"`,
  },
  "tall, form": {
    size: TALL,
    questions: [long(true), database],
    answers: [{ picks: [1], text: "mine" }, { picks: [2] }],
    received: "MySQL",
  },
  "low, scrolled list": {
    size: LOW,
    questions: [database],
    answers: [{ picks: [3] }],
    received: picked(database, "DuckDB"),
  },
  "low, scrolled boxes": {
    size: LOW,
    questions: [greetings],
    answers: [{ picks: [0, 3], text: "mine" }],
    received: "None, mine",
    mayStop: GARBLED,
  },
  "low, scrolled form": {
    size: LOW,
    questions: [styles, greetings],
    answers: [{ picks: [2] }, { picks: [1, 2] }],
    received: `"${styles.question}"="Three"`,
    mayStop: GARBLED,
  },
  "too low for its labels": {
    size: LOW,
    questions: [long(false)],
    answers: [{ picks: [0] }],
    received: "",
    refused: { "2.1.325": /not tall enough/, "2.1.197": /not tall enough/ },
  },
};
