import type { Answer } from "../../../core/ask/answer/answer.ts";
import type { Question } from "../../../core/ask/question.ts";
import type { Problem } from "../../../core/error.ts";
import { headerOf } from "../../../core/ask/header.ts";
import { safeLine } from "../../../core/text/text.ts";

type Wrong = Omit<Problem, "field">;
const MOST_NAMED = 20;

/** `name=value`, by name: what is given several times, or with commas, are several values. */
export function namedFields(words: readonly string[]): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf("=");
    const [name, value] = at < 0 ? [word, ""] : [word.slice(0, at), word.slice(at + 1)];
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

/** An option by its value, its label or its number; `yes` and `no` are labels like others. Nothing leaves it empty. */
export function fieldAnswer(question: Question, values: readonly string[]): { answer: Answer } | { wrong: Wrong } {
  const { options, multiSelect } = question;
  const [first = ""] = values;
  if (options.length === 0) {
    if (values.length > 1)
      return { wrong: { message: `${safeLine(headerOf(question))} is given ${values.length} times`, limit: "1" } };
    return { answer: first === "" ? { picks: [] } : { picks: [], text: first } };
  }
  const words = multiSelect
    ? values.flatMap((value) => (pickOf(question, value) >= 0 ? value : value.split(",")))
    : values;
  const given = words.map((word) => word.trim()).filter((word) => word !== "");
  const picks = given.map((word) => pickOf(question, word));
  const wrong = given.find((_, i) => picks[i] === -1);
  if (wrong === undefined) return { answer: { picks: [...new Set(picks)] } };
  const known = options.slice(0, MOST_NAMED).map(({ label }) => `"${safeLine(label, { max: 60 })}"`);
  const name = safeLine(headerOf(question));
  return { wrong: { message: `${name} has no "${safeLine(wrong, { max: 60 })}"; it has ${known.join(", ")}` } };
}

export function unknownField(name: string, questions: readonly Question[]): Problem {
  const known = questions.slice(0, MOST_NAMED).map(({ field, header }) => safeLine(field?.name ?? header, { max: 60 }));
  return {
    field: "field",
    message: `There is no field "${safeLine(name, { max: 60 })}"; there is ${known.join(", ")}`,
  };
}

function pickOf({ options, field }: Question, word: string): number {
  const same = (text: string) => text.trim().toLowerCase() === word.trim().toLowerCase();
  const byValue = (field?.values ?? []).findIndex((value) => String(value) === word);
  const byLabel = options.findIndex(({ label }) => same(label));
  const byNumber = /^\d+$/.test(word) && options[Number(word) - 1] ? Number(word) - 1 : -1;
  return [byValue, byLabel, byNumber].find((pick) => pick >= 0) ?? -1;
}
