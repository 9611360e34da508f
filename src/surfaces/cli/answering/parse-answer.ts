import type { Answer } from "../../../core/ask/answer/answer.ts";
import { OTHER_WITHOUT_TEXT } from "../../../core/ask/answer/check-answer.ts";
import type { Problem } from "../../../core/error.ts";
import { parsePrefill } from "../../../core/ask/answer/prefill.ts";
import type { Question } from "../../../core/ask/question.ts";
import { fieldAnswer, namedFields, unknownField } from "./read-fields.ts";
import { rowOrder } from "../../../core/form/rows.ts";
import { safeLine } from "../../../core/text/text.ts";

export type Words = {
  choices: readonly string[];
  messages: readonly string[];
  texts: readonly string[];
  fields?: readonly string[];
};
export type ParsedAnswers = { answers: Answer[]; problems: Problem[] };

/**
 * What a person typed behind `parley answer <id>`, as answers. Numbers begin at 1. `q2=…` names a later question,
 * in choices as in -m and --text; without it words go to the questions in their order, messages to the first.
 */
export function parseAnswer(
  questions: readonly Question[],
  { choices, messages, texts, fields = [] }: Words,
  prefill: readonly Answer[] = [],
): ParsedAnswers {
  const problems: Problem[] = [];
  const at = (index: number): Question | undefined => {
    if (questions[index]) return questions[index];
    problems.push({
      field: `q${index + 1}`,
      message: `There is no question ${index + 1}`,
      limit: `1-${questions.length}`,
      actual: `${index + 1}`,
    });
    return undefined;
  };
  const filled = questions.map(({ field }, i) => (field ? prefill[i] : undefined) ?? { picks: [] });
  const answers: Answer[] = [...filled];
  const put = (index: number, patch: Partial<Answer>) => {
    if (answers[index]) answers[index] = { ...answers[index], ...patch };
  };

  const asksForOther = new Set<number>();
  for (const [index, values] of gathered(addressed(joined(questions, choices)))) {
    const question = at(index);
    if (!question) continue;
    const read = readChoice(question, values[0] ?? "");
    if (read.other) asksForOther.add(index);
    const found = values.length > 1 ? [twice(index, values)] : read.problems;
    problems.push(...found.map((problem) => ({ ...problem, field: `q${index + 1}` })));
    put(index, { picks: read.picks, ...(read.text !== undefined && { text: read.text }) });
  }
  for (const [index, values] of gathered(addressed(texts, 0))) if (at(index)) put(index, { text: values.join("\n") });
  for (const [index, values] of gathered(addressed(messages, 0))) {
    const said = answers[index];
    const isNote = said?.text !== undefined || ((said?.picks.length ?? 0) > 0 && !asksForOther.has(index));
    if (at(index)) put(index, isNote ? { note: values.join("\n") } : { text: values.join("\n") });
  }
  for (const [name, values] of namedFields(fields)) {
    const index = questions.findIndex(({ field, header }) => (field?.name ?? header) === name);
    const question = questions[index];
    const read = question && fieldAnswer(question, values);
    if (!read) problems.push(unknownField(name, questions));
    else if ("wrong" in read) problems.push({ ...read.wrong, field: `q${index + 1}` });
    else answers[index] = read.answer;
  }
  for (const index of asksForOther)
    if (answers[index]?.text === undefined)
      problems.push({ field: `q${index + 1}`, message: OTHER_WITHOUT_TEXT, limit: "text with -m", actual: "none" });
  return { answers, problems };
}

/** A single question needs no quotes: `parley answer x Option B`, `parley answer x 1, 3`. */
function joined(questions: readonly Question[], choices: readonly string[]): readonly string[] {
  if (questions.length !== 1 || choices.length < 2) return choices;
  const allNumbers = choices.every((choice) => /^[\d,\s]+$/.test(choice));
  return [allNumbers ? (choices.join(",").match(/\d+/g) ?? []).join(",") : choices.join(" ")];
}

/** `fixed`: where words without `qN=` go; else they go to the questions one after the other. */
function addressed(words: readonly string[], fixed?: number): { index: number; value: string }[] {
  let next = 0;
  return words.map((word) => {
    const match = /^q(\d+)=(.*)$/is.exec(word);
    if (match) return { index: Number(match[1]) - 1, value: match[2] ?? "" };
    return { index: fixed ?? next++, value: word };
  });
}

/** By question, in the order they came. */
function gathered(words: readonly { index: number; value: string }[]): Map<number, string[]> {
  const byQuestion = new Map<number, string[]>();
  for (const { index, value } of words) byQuestion.set(index, [...(byQuestion.get(index) ?? []), value]);
  return byQuestion;
}

const twice = (index: number, values: readonly string[]) => ({
  message: `Question ${index + 1} is answered ${values.length} times: ${values.join(" and ")}`,
  limit: "1",
  actual: `${values.length}`,
});

type Choice = { picks: number[]; text?: string; other: boolean; problems: Omit<Problem, "field">[] };

function readChoice(question: Question, value: string): Choice {
  if (question.options.length === 0) return { picks: [], text: value, other: false, problems: [] };
  const isNumbers = /^\s*\d+(\s*,\s*\d+)*\s*$/.test(value);
  return isNumbers && !hasLabel(question, value) ? readNumbers(question, value) : readLabels(question, value);
}

function readNumbers(question: Question, value: string): Choice {
  const rows = rowOrder(question);
  const other = question.options.length;
  const numbers = [...new Set(value.split(",").map(Number))];
  const wrong = numbers.filter((n) => rows[n - 1] === undefined);
  // Other goes without saying where it is the last.
  const last = rows.at(-1) === other ? rows.length - 1 : rows.length;
  const found = numbers.flatMap((n) => rows[n - 1] ?? []);
  return {
    picks: found.filter((row) => row !== other),
    other: found.includes(other),
    problems: wrong.map((n) => ({ message: `There is no option ${n}`, limit: `1-${last}`, actual: `${n}` })),
  };
}

function readLabels(question: Question, value: string): Choice {
  const exact = parsePrefill(question, value);
  if (exact.text === undefined && exact.picks.length > 0) return { picks: exact.picks, other: false, problems: [] };
  const loose = question.options.findIndex(({ label }) => sameWords(label, value));
  if (loose >= 0) return { picks: [loose], other: false, problems: [] };
  const known = question.options.slice(0, MOST_NAMED).map(({ label }) => `"${safeLine(label, { max: 60 })}"`);
  const options = `${known.join(", ")}${question.options.length > MOST_NAMED ? ", …" : ""}`;
  const message = `No option is called "${exact.text ?? value}"; own words go with -m. Options: ${options}`;
  return { picks: [], other: false, problems: [{ message, limit: "an option's number or label", actual: value }] };
}

/** Agents may give any number of options; a refusal stays readable. */
const MOST_NAMED = 10;
const hasLabel = (question: Question, value: string) => question.options.some(({ label }) => label === value.trim());
const plain = (text: string) =>
  text
    .replace(/\(recommended\)\s*$/i, "")
    .trim()
    .toLowerCase();
const sameWords = (label: string, value: string) => plain(label) === plain(value);
