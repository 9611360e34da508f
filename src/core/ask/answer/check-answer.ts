import type { Answer } from "./answer.ts";
import type { Problem } from "../../error.ts";
import type { Field, Question } from "../question.ts";
import { asRecord, kindOf } from "../../record.ts";
import { countProblem, isSecret, textProblem } from "./field.ts";

export type CheckedAnswers = { ok: true; answers: Answer[] } | { ok: false; problems: Problem[] };

export const NOTHING_SELECTED = "Select at least one option";
export const OTHER_WITHOUT_TEXT = "Other selected but no text entered";
export const NO_TEXT = "No text entered";

const MAX_CHARACTERS = 10_000;

type Report = (problem: Problem) => void;

/** Answers from any door against the stored questions; every problem at once, and what passes is in one normal form. */
export function checkAnswers(questions: readonly Question[], answers: unknown): CheckedAnswers {
  if (!Array.isArray(answers)) {
    const problem = { field: "answers", message: "Answers must be a list", limit: "list", actual: kindOf(answers) };
    return { ok: false, problems: [problem] };
  }
  const list: readonly unknown[] = answers;
  const problems: Problem[] = [];
  if (list.length !== questions.length) {
    const message = `Expected ${questions.length} answers, received ${list.length}`;
    problems.push({ field: "answers", message, limit: `${questions.length}`, actual: `${list.length}` });
  }
  const checked = questions
    .slice(0, list.length)
    .map((question, i) => readAnswer(question, list[i], `answers[${i}]`, (problem) => problems.push(problem)));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, answers: checked };
}

function readAnswer(question: Question, value: unknown, field: string, report: Report): Answer {
  const fields = asRecord(value);
  if (!fields) {
    report({ field, message: "Answer must be an object", limit: "object", actual: kindOf(value) });
    return { picks: [] };
  }
  const picks = readPicks(question, fields["picks"], `${field}.picks`, report);
  const given = readString(fields["text"], `${field}.text`, "Text", report);
  const text = isSecret(question) ? given : given?.trim();
  const note = readString(fields["note"], `${field}.note`, "Note", report);
  // A pick or text that is wrong in itself was reported already; "nothing selected" on top of it would mislead.
  if (picks !== undefined && (text !== undefined || fields["text"] === undefined)) {
    if (question.field) reportField(question, question.field, { picks, text: text ?? "" }, field, report);
    else reportChoice(question, picks, text, field, report);
  }
  return {
    picks: (picks ?? []).toSorted((a, b) => a - b),
    ...(text === undefined || (question.field && text === "") ? {} : { text }),
    ...(note === undefined || note.trim() === "" ? {} : { note }),
  };
}

function readPicks(question: Question, value: unknown, field: string, report: Report): number[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    report({ field, message: "Picks must be a list of option numbers", limit: "list", actual: kindOf(value) });
    return undefined;
  }
  const seen = new Set<unknown>();
  const repeated = new Set<unknown>();
  for (const pick of value) (seen.has(pick) ? repeated : seen).add(pick);

  const last = question.options.length - 1;
  const isKnown = (pick: unknown): pick is number =>
    Number.isInteger(pick) && Number(pick) >= 0 && Number(pick) <= last;
  const unknown = [...seen].filter((pick) => !isKnown(pick)).map(named);
  const limit = last < 0 ? "no options" : `0-${last}`;
  for (const actual of unknown) report({ field, message: `Unknown option: ${actual}`, limit, actual });
  for (const pick of repeated) {
    report({ field, message: `Duplicate pick: ${named(pick)}`, limit: "unique", actual: named(pick) });
  }
  return unknown.length > 0 ? undefined : [...seen].filter(isKnown);
}

function readString(value: unknown, field: string, name: string, report: Report): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") {
    report({ field, message: `${name} must be a string`, limit: "string", actual: kindOf(value) });
    return undefined;
  }
  const text = value.toWellFormed();
  const count = Array.from(text).length;
  if (count > MAX_CHARACTERS) {
    const message = `${name} must be at most ${MAX_CHARACTERS} characters`;
    report({ field, message, limit: `${MAX_CHARACTERS} characters`, actual: `${count} characters` });
  }
  if (text.includes("\0")) {
    report({ field, message: `${name} must not contain NUL`, limit: "no NUL", actual: `NUL at ${text.indexOf("\0")}` });
  }
  return text;
}

function reportChoice(question: Question, picks: number[], text: string | undefined, at: string, report: Report): void {
  const hasOptions = question.options.length > 0;
  const count = `${picks.length}`;
  if (!hasOptions && !text) report({ field: `${at}.text`, message: NO_TEXT, limit: "text", actual: "empty" });
  if (hasOptions && text === "") {
    report({ field: `${at}.text`, message: OTHER_WITHOUT_TEXT, limit: "text", actual: "empty" });
  }
  if (hasOptions && text === undefined && picks.length === 0) {
    report({ field: `${at}.picks`, message: NOTHING_SELECTED, limit: "at least 1", actual: "0" });
  }
  if (question.multiSelect) return;
  if (picks.length > 1) report({ field: `${at}.picks`, message: "Select only one option", limit: "1", actual: count });
  if (picks.length > 0 && text) {
    const message = "Select an option or enter text, not both";
    report({ field: `${at}.text`, message, limit: "pick or text", actual: "pick and text" });
  }
}

/** A value that its asker reads by a schema: words in the place of an option, or an option too many, are none. */
function reportField(
  { options, multiSelect }: Question,
  field: Field,
  { picks, text }: { picks: number[]; text: string },
  at: string,
  report: Report,
): void {
  const refuse = (message: string, part: "picks" | "text", actual: string) =>
    report({ field: `${at}.${part}`, message, limit: field.type, actual });
  if (options.length === 0) {
    const isMissing = text === "" && !field.optional;
    const problem = text === "" ? undefined : textProblem(field, text);
    if (isMissing) refuse(NO_TEXT, "text", "empty");
    // What was typed is not repeated: it may be a secret.
    if (problem !== undefined) refuse(problem, "text", "text");
    return;
  }
  if (text !== "") refuse("Choose from what is offered", "text", "text");
  if (!multiSelect && picks.length > 1) refuse("Select only one option", "picks", `${picks.length}`);
  const problem = countProblem(field, picks.length);
  if (problem !== undefined) refuse(problem, "picks", `${picks.length}`);
  if (!multiSelect && picks.length === 0 && !field.optional) refuse(NOTHING_SELECTED, "picks", "0");
}

function named(pick: unknown): string {
  return typeof pick === "number" ? `${pick}` : kindOf(pick);
}
