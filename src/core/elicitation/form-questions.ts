import type { Answer } from "../ask/answer/answer.ts";
import { checkAnswers } from "../ask/answer/check-answer.ts";
import type { Field, Option, Question } from "../ask/question.ts";
import { asRecord } from "../record.ts";
import { looksSecret } from "./secret-field.ts";

/** What a server of the Model Context Protocol wants to be told, as its client passes it on. */
export type Elicitation = { server: string; message: string; schema: unknown };
export type FormQuestions = { questions: Question[]; prefill?: Answer[] };

/** More than a person fills in. */
const MOST_FIELDS = 50;
const MOST_OPTIONS = 200;

/**
 * One typed question for each field, in their order; what has a default is filled in.
 * Contract: undefined for a schema with anything in it that is not checked here: an answer that breaks it would fail the
 * server, so its client's own dialog is left to ask. Never throws.
 */
export function formQuestions({ server, message, schema }: Elicitation): FormQuestions | undefined {
  const { properties, required = [], ...rest } = asRecord(schema) ?? {};
  const fields = Object.entries(asRecord(properties) ?? {});
  if (!Array.isArray(required) || !isKnown(rest, TOP) || fields.length === 0 || fields.length > MOST_FIELDS)
    return undefined;
  const needed = new Set<unknown>(required);
  if ([...needed].some((name) => !fields.some(([known]) => known === name))) return undefined;
  const read = fields.map(([name, definition]) => fieldQuestion(name, definition, !needed.has(name)));
  if (!read.every((found) => found !== undefined)) return undefined;
  const lead = leadOf(server, message);
  const questions = read.map(({ question }, i) =>
    i === 0 ? { ...question, title: lead, text: [lead, question.text].filter(Boolean).join("\n\n") } : question,
  );
  const prefill = read.map(({ question, preset }) => fitting(question, preset));
  return { questions, ...(prefill.some(isGiven) && { prefill }) };
}

/** To open an address, or not. Accepting sends no more than that. */
export function addressQuestions({
  server,
  message,
  url,
}: {
  server: string;
  message: string;
  url: string;
}): Question[] {
  const lead = leadOf(server, message);
  return [
    {
      text: lead,
      title: lead,
      body: url,
      header: "Address",
      multiSelect: false,
      options: [
        {
          label: "Accept",
          description: "Tell it that you open this address, and open it yourself",
          recommended: false,
        },
        { label: "Decline", description: "Tell it that you do not", recommended: false },
      ],
      field: { name: "url", type: "address", optional: false, values: [true, false] },
    },
  ];
}

const leadOf = (server: string, message: string) => `${server} asks: ${message}`;

type Read = { question: Question; preset: Answer };

function fieldQuestion(name: string, definition: unknown, optional: boolean): Read | undefined {
  const given = asRecord(definition);
  const kind = given && kindOf(given);
  if (!given || !kind) return undefined;
  const { type, options = [], values, ...bounds } = kind;
  const [title, description] = [words(given["title"]), words(given["description"])];
  const isSecret = options.length === 0 && looksSecret(name, given);
  const field: Field = {
    name,
    type,
    optional,
    ...bounds,
    ...(values && { values }),
    ...(isSecret && { secret: true }),
  };
  const empty = optional && type !== "choices" && options.length > 0 ? [LEAVE_EMPTY] : [];
  const question: Question = {
    text: description || title || name,
    header: title || name,
    multiSelect: type === "choices",
    options: [...options, ...empty],
    field,
  };
  return { question, preset: presetOf(field, given["default"]) };
}

const LEAVE_EMPTY: Option = { label: "Leave it empty", description: "", recommended: false };

type Kind = Pick<Field, "type" | "min" | "max" | "format" | "values"> & { options?: Option[] };

function kindOf(given: Record<string, unknown>): Kind | undefined {
  const { type } = given;
  if (type === "boolean")
    return isKnown(given, BOOLEAN) ? { type, options: [YES, NO], values: [true, false] } : undefined;
  if (type === "number" || type === "integer")
    return isKnown(given, NUMBER) ? { type, ...bounds(given["minimum"], given["maximum"]) } : undefined;
  if (type === "array") return choices(given);
  if (type !== "string") return undefined;
  const offered = offeredBy(given);
  if (offered) return isKnown(given, CHOICE) ? { type: "choice", ...offered } : undefined;
  const { format } = given;
  if (!isKnown(given, TEXT) || (format !== undefined && typeof format !== "string")) return undefined;
  return { type: "text", ...bounds(given["minLength"], given["maxLength"]), ...(format !== undefined && { format }) };
}

function choices(given: Record<string, unknown>): Kind | undefined {
  const items = asRecord(given["items"]);
  const offered = items && isKnown(items, CHOICE) ? offeredBy(items) : undefined;
  if (!offered || !isKnown(given, LIST)) return undefined;
  return { type: "choices", ...offered, ...bounds(given["minItems"], given["maxItems"]) };
}

const YES: Option = { label: "Yes", description: "", recommended: false };
const NO: Option = { label: "No", description: "", recommended: false };

/** `enum`, with names or without, or each value with its title. */
function offeredBy(given: Record<string, unknown>): { options: Option[]; values: unknown[] } | undefined {
  const { enum: values, enumNames: names } = given;
  const listed = Array.isArray(values)
    ? values.map((value: unknown, i) => ({ value, title: words(Array.isArray(names) ? names[i] : undefined) }))
    : titled(given["oneOf"] ?? given["anyOf"]);
  if (!listed || listed.length === 0 || listed.length > MOST_OPTIONS) return undefined;
  if (!listed.every(({ value }) => typeof value === "string" && value !== "")) return undefined;
  return {
    values: listed.map(({ value }) => value),
    options: listed.map(({ value, title }) => ({
      label: title || String(value),
      description: title && title !== value ? String(value) : "",
      recommended: false,
    })),
  };
}

function titled(list: unknown): { value: unknown; title: string }[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const read = list.map((item: unknown) => asRecord(item));
  if (!read.every((item) => item !== undefined && isKnown(item, TITLED))) return undefined;
  return read.map((item) => ({ value: item?.["const"], title: words(item?.["title"]) }));
}

/** A bound that is no number bounds nothing for whoever checks it, and neither here. */
function bounds(min: unknown, max: unknown): { min?: number; max?: number } {
  return { ...(typeof min === "number" && { min }), ...(typeof max === "number" && { max }) };
}

function presetOf({ type, values = [], secret }: Field, value: unknown): Answer {
  if (value === undefined || secret) return { picks: [] };
  const picks = (Array.isArray(value) ? value : [value]).map((each: unknown) => values.indexOf(each));
  if (values.length > 0) return { picks: picks.filter((pick) => pick >= 0) };
  const isText = type === "text" ? typeof value === "string" : typeof value === "number";
  return isText ? { picks: [], text: String(value) } : { picks: [] };
}

/** A default that its own schema refuses is none. */
function fitting(question: Question, preset: Answer): Answer {
  const checked = checkAnswers([question], [preset]);
  return (checked.ok ? checked.answers[0] : undefined) ?? { picks: [] };
}

const isGiven = ({ picks, text }: Answer) => picks.length > 0 || text !== undefined;
const words = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

const SAID = ["type", "title", "description", "default", "examples", "_meta", "$comment", "writeOnly", "readOnly"];
const TOP = [...SAID, "$schema", "$id", "additionalProperties"];
const TEXT = [...SAID, "minLength", "maxLength", "format"];
const NUMBER = [...SAID, "minimum", "maximum"];
const BOOLEAN = SAID;
const CHOICE = [...SAID, "enum", "enumNames", "oneOf", "anyOf"];
const LIST = [...SAID, "items", "minItems", "maxItems", "uniqueItems"];
const TITLED = ["const", "title", "description", "type"];

/** What begins with `x-` is a note for somebody. */
const isKnown = (given: Record<string, unknown>, keys: readonly string[]): boolean =>
  Object.keys(given).every((key) => keys.includes(key) || key.startsWith("x-"));
