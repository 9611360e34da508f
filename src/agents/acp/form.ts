import type { Answer } from "../../core/ask/answer/answer.ts";
import { isRecommended, type Option, type Question } from "../../core/ask/question.ts";
import type { ReceivedChoice } from "../../core/receipt/received.ts";
import { pickedLabels } from "../../core/words/outcome/describe-answer.ts";
import type { Elicitation, Field } from "./payload.ts";

/** `words`: the field beside it that takes a person's own words about it. */
type Entry = { key: string; field: Field; words?: string; isRequired: boolean };
type Content = Record<string, unknown>;
/** What an agent offers to whoever wants none of its options, at the end of them. "Other" may be one of its own, too. */
const NONE = /^(none of the above|none of these|other)\b/i;
const SURELY_NONE = /^none of (the above|these)\b/i;
/** Between somebody's own words and a note about them. */
const NOTE_MARK = "\nNote: ";
const SECRET = /pass(word|phrase)|secret|token|api[_ -]?key|credential/i;
const YES_NO = [true, false];

/**
 * The fields of a form as questions. Undefined: one of them is nothing to be shown here; then the editor alone has it. So
 * it is with secrets, which are typed where they are asked for.
 */
export function formQuestions(form: Elicitation): Question[] | undefined {
  const entries = entriesOf(form);
  if (entries.length === 0 || entries.length > 50) return undefined;
  if (Object.entries(form.requestedSchema.properties).some(([key, field]) => isSecret(key, field))) return undefined;
  return entries.map((entry, i) => questionOf(entry, form, i));
}

function questionOf({ key, field, words, isRequired }: Entry, { message }: Elicitation, i: number): Question {
  const options = optionsOf(field);
  const [title, about] = [field.title ?? "", field.description ?? ""];
  // Some name the question in its title, some in its description, some only in the message above the form.
  const own = [title, about].find((each) => each.includes("?")) ?? "";
  const isOne = message !== "" && i === 0 && own === "";
  const text = isOne ? message : own || about || title || key;
  return {
    id: key,
    text,
    header: [title, about, key].find((each) => each !== "" && each !== text && each.length <= 40) ?? "",
    multiSelect: field.type === "array",
    ...(options.length > 0 && words === undefined && { ownWords: false }),
    ...(!isRequired && { optional: true }),
    options,
  };
}

/** The answer as the form takes it. Undefined: it does not fit, and would fail where it is read. */
export function contentOf(
  form: Elicitation,
  questions: readonly Question[],
  answers: readonly Answer[],
): Content | undefined {
  const content: Content = {};
  for (const [i, entry] of entriesOf(form).entries()) {
    const [question, answer] = [questions[i], answers[i] ?? { picks: [] }];
    if (!question || !fill(content, entry, question, answer)) return undefined;
  }
  return content;
}

function fill(content: Content, { key, field, words, isRequired }: Entry, question: Question, answer: Answer): boolean {
  const values = answer.picks.map((pick) => valuesOf(field)[pick]);
  if (values.includes(undefined)) return false;
  const isChoice = question.options.length > 0;
  const said = [isChoice ? answer.text : undefined, answer.note].filter((each) => each !== undefined && each !== "");
  if (said.length > 0) {
    // A note is extra; an answer that finds no place is lost.
    if (words === undefined && isChoice && answer.text) return false;
    if (words !== undefined) content[words] = said.join(NOTE_MARK);
  }
  if (!isChoice) return fillText(content, { key, field, isRequired }, answer.text);
  if (field.type === "array") {
    const { minItems = 0, maxItems = Infinity } = field;
    if (values.length < minItems || values.length > maxItems) return false;
    if (values.length > 0 || isRequired) content[key] = values;
    return true;
  }
  const none = noneIn(question.options);
  const [value] =
    values.length > 0 ? values : isRequired && said.length > 0 && none >= 0 ? [valuesOf(field)[none]] : [];
  if (value === undefined) return !isRequired;
  content[key] = value;
  return values.length <= 1;
}

function noneIn(options: readonly Option[]): number {
  const last = (shape: RegExp) => options.findLastIndex(({ label }) => shape.test(label));
  return last(SURELY_NONE) >= 0 ? last(SURELY_NONE) : last(NONE);
}

function fillText(content: Content, { key, field, isRequired }: Entry, text: string | undefined): boolean {
  if (text === undefined || text === "") return !isRequired;
  const { minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = field;
  if (field.type === "string") {
    const { length } = Array.from(text);
    if (length < minLength || length > maxLength || !hasFormat(field, text)) return false;
    content[key] = text;
    return true;
  }
  const number = Number(text.trim().replace(/^\+/, ""));
  const fits = text.trim() !== "" && Number.isFinite(number) && number >= minimum && number <= maximum;
  if (!fits || (field.type === "integer" && !Number.isSafeInteger(number))) return false;
  content[key] = number;
  return true;
}

const FORMATS: Record<string, RegExp> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i,
};

/** A pattern is somebody's program: it is the agent's to run. */
const hasFormat = ({ format = "" }: Field, text: string): boolean =>
  !Object.hasOwn(FORMATS, format) || (FORMATS[format]?.test(text) ?? true);

/** What a filled form says, question by question. */
export function choicesIn(
  form: Elicitation,
  questions: readonly Question[],
  content: Content,
): (ReceivedChoice | undefined)[] {
  return entriesOf(form).map(({ key, field, words }, i): ReceivedChoice | undefined => {
    const [question, value] = [questions[i], content[key]];
    const own = words === undefined ? undefined : content[words];
    const said = typeof own === "string" && own !== "" ? own : undefined;
    if (!question) return undefined;
    if (question.options.length === 0)
      return value === undefined || value === null ? { labels: [] } : { labels: [], text: String(value) };
    const given = Array.isArray(value) ? value : value === undefined ? [] : [value];
    const picks = given.map((each) => valuesOf(field).indexOf(each as string));
    if (picks.includes(-1)) return undefined;
    const labels = pickedLabels(question, { picks });
    const isNone = said !== undefined && picks.length === 1 && picks[0] === noneIn(question.options);
    if (said !== undefined && (labels.length === 0 || isNone)) return { labels: [], ...splitNote(said) };
    return { labels, ...(said !== undefined && { note: said }) };
  });
}

function splitNote(said: string): { text: string; note?: string } {
  const at = said.lastIndexOf(NOTE_MARK);
  return at < 0 ? { text: said } : { text: said.slice(0, at), note: said.slice(at + NOTE_MARK.length) };
}

/**
 * The fields that are questions. An optional text named like a choice before it (`database`, `database_note`) is where its
 * own words go.
 */
function entriesOf({ requestedSchema: { properties, required } }: Elicitation): Entry[] {
  const all = Object.entries(properties);
  const needed = new Set(required ?? []);
  const isWords = (key: string, field: Field) =>
    field.type === "string" && valuesOf(field).length === 0 && !needed.has(key);
  const wordsOf = (key: string) =>
    all.find(([other, field]) => other.startsWith(`${key}_`) && isWords(other, field))?.[0];
  const choices = all.filter(([, field]) => ["string", "array"].includes(field.type) && valuesOf(field).length > 0);
  const taken = new Set(choices.map(([key]) => wordsOf(key)));
  return all
    .filter(([key]) => !taken.has(key))
    .map(([key, field]) => {
      const words = choices.some(([choice]) => choice === key) ? wordsOf(key) : undefined;
      return { key, field, ...(words !== undefined && { words }), isRequired: needed.has(key) };
    });
}

function valuesOf({ type, items, oneOf, enum: names, anyOf }: Field): (string | boolean)[] {
  if (type === "boolean") return YES_NO;
  const from = type === "array" ? items : { oneOf, anyOf, enum: names };
  return (from?.oneOf ?? from?.anyOf)?.map((each) => each.const) ?? from?.enum ?? [];
}

function optionsOf(field: Field): Option[] {
  const plain = (label: string, description = ""): Option => ({
    label,
    description,
    recommended: isRecommended(label),
  });
  if (field.type === "boolean") return [plain("Yes"), plain("No")];
  const titled = field.type === "array" ? (field.items?.oneOf ?? field.items?.anyOf) : (field.oneOf ?? field.anyOf);
  if (titled) return titled.map((each) => plain(each.title || each.const, each.description ?? ""));
  return valuesOf(field).map((value, i) => plain(field.enumNames?.[i] || String(value)));
}

function isSecret(key: string, field: Field): boolean {
  if (field.format === "password" || JSON.stringify(field["_meta"] ?? "").includes('"isSecret":true')) return true;
  return (
    valuesOf(field).length === 0 &&
    field.type === "string" &&
    [key, field.title ?? ""].some((each) => SECRET.test(each))
  );
}
