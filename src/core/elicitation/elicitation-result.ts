import type { Answer } from "../ask/answer/answer.ts";
import { checkAnswers } from "../ask/answer/check-answer.ts";
import { fieldValue, withoutSecrets } from "../ask/answer/field.ts";
import type { Outcome } from "../ask/outcome.ts";
import type { Question } from "../ask/question.ts";
import { asRecord } from "../record.ts";

/** What the server is told. */
export type ElicitationResult =
  | { action: "accept"; content?: Record<string, unknown> }
  | { action: "decline" | "cancel" };

/** Contract: undefined where the answers are not complete and right, so that nothing wrong is ever sent. */
export function elicitationResult(questions: readonly Question[], outcome: Outcome): ElicitationResult | undefined {
  if (outcome.type === "declined") return { action: "decline" };
  if (outcome.type !== "answered") return { action: "cancel" };
  const checked = checkAnswers(questions, outcome.answers);
  if (!checked.ok) return undefined;
  const [first] = questions;
  if (first?.field?.type === "address")
    return fieldValue(first, checked.answers[0] ?? { picks: [] }) === true
      ? { action: "accept" }
      : { action: "decline" };
  const values = questions.map((question, i) => fieldValue(question, checked.answers[i] ?? { picks: [] }));
  const fields = questions.flatMap(({ field }, i) =>
    field && values[i] !== undefined ? [[field.name, values[i]] as const] : [],
  );
  return { action: "accept", content: Object.fromEntries(fields) };
}

/** The answers that such a result is, without its secrets; undefined: it holds none. */
export function answersIn(questions: readonly Question[], content: unknown): Answer[] | undefined {
  const given = asRecord(content);
  if (!given) return undefined;
  return withoutSecrets(
    questions,
    questions.map(({ field, options }): Answer => {
      const value = field && Object.hasOwn(given, field.name) ? given[field.name] : undefined;
      if (!field || value === undefined || value === null) return { picks: [] };
      const { values = [] } = field;
      const picks = (Array.isArray(value) ? value : [value]).map((each: unknown) => values.indexOf(each));
      if (options.length > 0) return { picks: picks.filter((pick) => pick >= 0) };
      return { picks: [], text: typeof value === "string" ? value : JSON.stringify(value) };
    }),
  );
}
