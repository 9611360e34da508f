// By hand and not by a schema: `parley scan` reads records with it, and to load the schema library takes as long as to look through 100 MB.
import { isRecommended } from "../../core/ask/is-recommended.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import { asRecord } from "../../core/record.ts";

export const QUESTION_TOOL = "AskUserQuestion";

/** Undefined when this is no AskUserQuestion input. What the model wrote is kept as it came, never refused for style. */
export function questionsOf(input: unknown): Question[] | undefined {
  const questions = recordsIn(asRecord(input)?.["questions"]);
  if (!questions || questions.length === 0) return undefined;
  return questions.map((question) => ({
    text: textOr(question["question"], ""),
    header: textOr(question["header"], ""),
    multiSelect: question["multiSelect"] === true,
    options: (recordsIn(question["options"]) ?? []).map(optionOf),
  }));
}

function optionOf(option: Record<string, unknown>): Option {
  const label = textOr(option["label"], "");
  const preview = textOr(option["preview"], undefined);
  return {
    label,
    description: textOr(option["description"], ""),
    recommended: isRecommended(label, option["recommended"]),
    ...(preview !== undefined && { preview }),
  };
}

/** Nothing where one of them has no fields: then it is something else. */
function recordsIn(value: unknown): Record<string, unknown>[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const records = value.map(asRecord).filter((each) => each !== undefined);
  return records.length === value.length ? records : undefined;
}

export const textOr = <T>(value: unknown, other: T): string | T => (typeof value === "string" ? value : other);
