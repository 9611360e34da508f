import type { Ask, Delivery } from "../src/core/ask/ask.ts";
import type { Actor, Outcome } from "../src/core/ask/outcome.ts";
import type { Question } from "../src/core/ask/question.ts";

export const PERSON: Actor = { type: "person", surface: "cli" };

export const question = (text: string, labels: readonly string[], multiSelect = false): Question => ({
  text,
  header: "Choice",
  multiSelect,
  options: labels.map((label) => ({ label, description: "", recommended: false })),
});
export const database = question("Which database?", ["SQLite", "Postgres"]);
export const features = question("Which features?", ["Auth", "A, B", "Export"], true);

export const delivery = (more: Partial<Delivery> = {}): Delivery => ({ key: "toolu_1", state: "waiting", ...more });

export const answered = (...answers: NonNullable<Outcome["answers"]>): Outcome => ({
  type: "answered",
  actor: PERSON,
  at: 2000,
  answers,
});

export const askOf = (more: Partial<Ask> = {}): Ask => ({
  id: "abc123def456",
  version: 1,
  kind: "question",
  state: "open",
  questions: [database],
  origin: { agent: "claude-code", session: "asking-session" },
  deliveries: [delivery()],
  createdAt: 1000,
  updatedAt: 1000,
  ...more,
});
