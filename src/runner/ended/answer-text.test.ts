import { expect, test } from "bun:test";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { offerCancel } from "../../core/task/task-cancel.ts";
import { answerText } from "./answer-text.ts";

const option = (label: string, description = "") => ({ label, description, recommended: false });
const question = (text: string, multiSelect = false) => ({
  text,
  header: "",
  multiSelect,
  options: [option("SQLite", "one file"), option("Postgres")],
});
const ask = (more: Partial<Ask>): Ask => ({
  id: "abc",
  version: 2,
  kind: "question",
  state: "settled",
  questions: offerCancel([question("Which?")]),
  origin: { agent: "claude-code", task: "t" },
  deliveries: [{ key: "k", state: "waiting" }],
  createdAt: 0,
  updatedAt: 0,
  ...more,
});
const answered = (...answers: Answer[]): Ask["outcome"] => ({
  type: "answered",
  actor: { type: "person", surface: "cli" },
  at: 0,
  answers,
});

test("[TK1] an answer in words has every option on its own line, then free text and note, then the mark", () => {
  const one = answerText([ask({ outcome: answered({ picks: [0], note: "now" }) })]);
  expect(one).toBe('Answer to "Which?":\n  ✓ SQLite — one file\n  – Postgres\nNote: now\n\n[parley abc]');
  const both = ask({
    questions: offerCancel([question("Which?"), question("And?", true)]),
    outcome: answered({ picks: [], text: "MySQL" }, { picks: [0, 1] }),
  });
  expect(answerText([both])).toBe(
    'Answer to "Which?":\n  – SQLite — one file\n  – Postgres\nMySQL\n\nAnswer to "And?":\n  ✓ SQLite — one file\n  ✓ Postgres\n\n[parley abc]',
  );
});

test("[TK1] several asks are told in one message, and a refusal in its own words", () => {
  const declined = ask({ outcome: { type: "declined", actor: { type: "person", surface: "cli" }, at: 0 } });
  const second = ask({ id: "def", outcome: answered({ picks: [1] }) });
  expect(answerText([declined, second])).toBe(
    '"Which?": The user declined to answer this question.\n\nAnswer to "Which?":\n  – SQLite — one file\n  ✓ Postgres\n\n[parley abc] [parley def]',
  );
});
