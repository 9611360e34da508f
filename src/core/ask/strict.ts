import type { Answer } from "./answer/answer.ts";
import type { Problem } from "../error.ts";
import { parsePrefill } from "./answer/prefill.ts";
import { type Option, type Question, isRecommended } from "./question.ts";
import { asRecord, kindOf } from "../record.ts";
import { characterCount, safeLine } from "../text/text.ts";

export type StrictResult =
  | { ok: true; questions: Question[]; prefill: Answer[] | undefined }
  | { ok: false; problems: Problem[] };

type Report = (problem: Problem) => void;
/** Asked for only where something is wrong. */
type Name = () => string;
/** What is asked of a question. `mayBeFree`: without options it takes own words alone. */
type Rules = {
  marks: readonly string[];
  mayBeFree: boolean;
  label: { limit: string; fits: (seen: string) => boolean };
};
/** For models: short labels and one form make a question that people answer at a glance. */
const TOOL: Rules = {
  marks: ["?"],
  mayBeFree: false,
  label: { limit: "1-5 words", fits: (seen) => seen !== "" && seen.split(" ").length <= 5 },
};
/** For scripts, whose author saw the question before: in any script, with labels as long as a line. */
const SCRIPT: Rules = {
  marks: ["?", "？", "؟", "⁇", "︖", "﹖", ";", "՞"],
  mayBeFree: true,
  label: { limit: "1-80 characters", fits: (seen) => seen !== "" && characterCount(seen) <= 80 },
};

/** What a script asks; the rest is for `validateStrict` to say. */
export const endsAsQuestion = (text: string): boolean => SCRIPT.marks.includes(lastOf(seenIn(text)));
const lastOf = (seen: string): string => Array.from(seen.slice(-2)).at(-1) ?? "";

/**
 * Asks made through Parley's own doors. Every reader reports what is wrong and goes on, so all problems come at once in the
 * order of the input. Texts are judged as a person sees them: a zero-width character does not make a second label.
 */
export function validateStrict(input: unknown, isScript = false): StrictResult {
  const rules = isScript ? SCRIPT : TOOL;
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const ask = asRecord(input);
  if (!ask) return { ok: false, problems: [wrongKind("ask", "Ask must be an object", "object", input)] };
  const questions = readQuestions(ask["questions"], rules, report);
  const prefill = readAnswers(ask["answers"], questions, report);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, questions, prefill };
}

function readQuestions(value: unknown, rules: Rules, report: Report): Question[] {
  if (!Array.isArray(value)) {
    report(wrongKind("questions", "Questions must be a list", "list", value));
    return [];
  }
  const count = value.length;
  if (count < 1 || count > 4) {
    report({ field: "questions", message: `Ask must have 1-4 questions: ${count}`, limit: "1-4", actual: `${count}` });
  }
  const headers = new Set<string>();
  // What is too many is not looked into: a megabyte of empty questions would make a gigabyte of problems.
  return value.slice(0, 4).map((item, i) => readQuestion(item, `questions[${i}]`, headers, rules, report));
}

function readQuestion(value: unknown, field: string, headers: Set<string>, rules: Rules, report: Report): Question {
  const fields = asRecord(value);
  if (!fields) report(wrongKind(field, `Question must be an object: ${field}`, "object", value));
  if (!fields) return { text: "", header: "", multiSelect: false, options: [] };

  const { question, text: alias, header, multiSelect, options, ...rest } = fields;
  const name = () => nameOf(header, field);
  return {
    ...rest,
    text: readText(question ?? alias, `${field}.question`, name, rules, report),
    header: readHeader(header, `${field}.header`, headers, report),
    multiSelect: readMultiSelect(multiSelect, `${field}.multiSelect`, name, report),
    options: readOptions(options, `${field}.options`, name, rules, report),
  };
}

function readText(value: unknown, field: string, name: Name, { marks }: Rules, report: Report): string {
  const seen = seenIn(value);
  const ending = lastOf(seen);
  if (seen === "") {
    report({ field, message: `Question must not be empty: ${name()}`, limit: "text", actual: emptyAs(value) });
  } else if (!marks.includes(ending)) {
    report({ field, message: `Question must end with ?: ${name()}`, limit: "?", actual: ending });
  }
  return typeof value === "string" ? value : "";
}

function readHeader(value: unknown, field: string, headers: Set<string>, report: Report): string {
  const seen = seenIn(value);
  const count = characterCount(seen);
  const name = () => nameOf(value, field);
  const key = seen.normalize("NFC").toLowerCase();
  if (count < 1 || count > 12) {
    const message = `Header must be 1-12 characters: ${name()}`;
    report({ field, message, limit: "1-12 characters", actual: `${count} characters` });
  }
  if (headers.has(key)) report({ field, message: `Duplicate header: ${name()}`, limit: "unique", actual: name() });
  if (seen !== "") headers.add(key);
  return typeof value === "string" ? value.trim() : "";
}

function readMultiSelect(value: unknown, field: string, name: Name, report: Report): boolean {
  if (typeof value === "boolean") return value;
  report(wrongKind(field, `multiSelect must be true or false: ${name()}`, "true or false", value));
  return false;
}

function readOptions(value: unknown, field: string, name: Name, rules: Rules, report: Report): Option[] {
  if (!Array.isArray(value)) {
    report(wrongKind(field, `Options must be a list: ${name()}`, "list", value));
    return [];
  }
  const count = value.length;
  if (count === 0 && rules.mayBeFree) return [];
  if (count < 2 || count > 4) {
    report({ field, message: `Question must have 2-4 options: ${name()}`, limit: "2-4", actual: `${count}` });
  }
  const labels = new Set<string>();
  return value.slice(0, 4).map((item, i) => readOption(item, `${field}[${i}]`, labels, rules, report));
}

function readOption(value: unknown, field: string, labels: Set<string>, rules: Rules, report: Report): Option {
  const fields = asRecord(value);
  if (!fields) report(wrongKind(field, `Option must be an object: ${field}`, "object", value));
  if (!fields) return { label: "", description: "", recommended: false };

  // What picking it does is never the asker's to say: such an option could end a task, or look like a permission.
  const { label, description, preview, recommended, effect: _effect, target: _target, ...rest } = fields;
  const name = () => nameOf(label, `${field}.label`);
  const read = { ...rest, label: readLabel(label, `${field}.label`, labels, rules, report) };
  if (seenIn(description) === "") {
    const message = `Option description must not be empty: ${name()}`;
    report({ field: `${field}.description`, message, limit: "text", actual: emptyAs(description) });
  }
  if (preview !== undefined && typeof preview !== "string") {
    report(wrongKind(`${field}.preview`, `Option preview must be text: ${name()}`, "text", preview));
  }
  if (recommended !== undefined && typeof recommended !== "boolean") {
    const message = `Option recommended must be true or false: ${name()}`;
    report(wrongKind(`${field}.recommended`, message, "true or false", recommended));
  }
  return {
    ...read,
    description: typeof description === "string" ? description : "",
    recommended: isRecommended(read.label, recommended),
    ...(typeof preview === "string" ? { preview } : {}),
  };
}

function readLabel(value: unknown, field: string, labels: Set<string>, { label: rule }: Rules, report: Report): string {
  const name = () => nameOf(value, field);
  const seen = seenIn(value);
  if (!rule.fits(seen)) {
    const unit = rule.limit.split(" ")[1] ?? "";
    const count = unit === "words" ? (seen === "" ? 0 : seen.split(" ").length) : characterCount(seen);
    report({
      field,
      message: `Option label must be ${rule.limit}: ${name()}`,
      limit: rule.limit,
      actual: `${count} ${unit}`,
    });
  }
  if (labels.has(seen))
    report({ field, message: `Duplicate option label: ${name()}`, limit: "unique", actual: name() });
  if (seen !== "") labels.add(seen);
  if (seen.toLowerCase() === "other")
    report({ field, message: `Option label "Other" is reserved`, limit: "not Other", actual: seen });
  return typeof value === "string" ? value.trim() : "";
}

function readAnswers(value: unknown, questions: readonly Question[], report: Report): Answer[] | undefined {
  if (value === undefined) return undefined;
  const fields = asRecord(value);
  if (!fields) report(wrongKind("answers", "Answers must be an object", "object", value));
  const given = new Map<string, string>();
  const known = questions.map((question) => question.header);
  for (const [key, answer] of Object.entries(fields ?? {})) {
    const name = safeLine(key, { max: 80 });
    const field = `answers.${name}`;
    const isKnown = key.trim() !== "" && known.includes(key.trim());
    if (!isKnown) report({ field, message: `Unknown answers key: ${name}`, limit: limitTo(known), actual: name });
    else if (typeof answer !== "string") report(wrongKind(field, `Answer must be text: ${name}`, "text", answer));
    else given.set(key.trim(), answer);
  }
  if (given.size === 0) return undefined;
  return questions.map((question) => parsePrefill(question, given.get(question.header) ?? ""));
}

function limitTo(headers: readonly string[]): string {
  return headers.map((header) => safeLine(header, { max: 80 })).join(", ");
}

function seenIn(value: unknown): string {
  return typeof value === "string" ? safeLine(value) : "";
}

/** Messages reach terminals and logs, so a name in them is one short line; what has no name is named by its place. */
function nameOf(value: unknown, field: string): string {
  return (typeof value === "string" && safeLine(value, { max: 80 })) || field;
}

function emptyAs(value: unknown): string {
  return typeof value === "string" ? "empty" : kindOf(value);
}

function wrongKind(field: string, message: string, limit: string, value: unknown): Problem {
  return { field, message, limit, actual: kindOf(value) };
}
