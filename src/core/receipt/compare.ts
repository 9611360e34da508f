import type { Answer } from "../ask/answer/answer.ts";
import { pickedLabels } from "../words/outcome/describe-answer.ts";
import { readLabelList } from "./label-list.ts";
import type { Question } from "../ask/question.ts";
import type { ReceivedChoice } from "./received.ts";

export type Comparison = { same: true } | { same: false; difference: string };

/**
 * Free text that spells a label equals that label: most agents report one string, in which the two cannot be told apart,
 * and a mismatch nobody caused would make every real one unbelievable.
 */
export function compareAnswer(question: Question, sent: Answer, received: ReceivedChoice): Comparison {
  const choices = [elementsOf({ ...sent, labels: pickedLabels(question, sent) }), elementsOf(received)] as const;
  const [sentChoice, receivedChoice] = choices.map((elements) => JSON.stringify(elements.toSorted()));
  const differences = [
    ...(sentChoice === receivedChoice ? [] : [`sent ${listed(choices[0])}, received ${listed(choices[1])}`]),
    ...(sent.note === undefined || sent.note === received.note
      ? []
      : [`sent note ${JSON.stringify(sent.note)}, received ${noteOf(received)}`]),
  ];
  return differences.length === 0 ? { same: true } : { same: false, difference: differences.join("; ") };
}

/** One answer as one string: `quoted` writes elements with `, ` or a quote as JSON strings, `plain` writes them bare. */
export function encodeChoice(question: Question, answer: Answer, style: "quoted" | "plain"): string {
  const elements = elementsOf({ ...answer, labels: pickedLabels(question, answer) });
  const quotes = question.multiSelect && style === "quoted";
  return elements.map((element) => (quotes && /"|, /.test(element) ? JSON.stringify(element) : element)).join(", ");
}

/**
 * Contract: text that `encodeChoice` wrote plainly may be ambiguous (`A, B` as two labels or one). Who knows what was sent
 * compares the encoded strings first and decodes only when they differ.
 */
export function decodeChoice(question: Question, raw: string): { labels: string[]; text?: string } {
  const labels = question.options.map((option) => option.label);
  if (raw === "") return { labels: [] };
  if (!question.multiSelect) return labels.includes(raw) ? { labels: [raw] } : { labels: [], text: raw };

  const quoted = readQuotedList(raw);
  // An answer holds one free text; two of them mean that commas of a bare label were taken for separators.
  if (quoted && quoted.filter((element) => !labels.includes(element)).length <= 1) return choiceOf(quoted, labels);
  return choiceOf(
    readLabelList(labels, raw).map((element) => (typeof element === "number" ? (labels[element] ?? "") : element)),
    labels,
  );
}

function elementsOf({ labels, text }: { labels: readonly string[]; text?: string | undefined }): string[] {
  return text === undefined ? [...labels] : [...labels, text];
}

function listed(elements: readonly string[]): string {
  return elements.length === 0 ? "nothing" : elements.map((element) => JSON.stringify(element)).join(", ");
}

function noteOf(received: ReceivedChoice): string {
  return received.note === undefined ? "no note" : `note ${JSON.stringify(received.note)}`;
}

function choiceOf(elements: readonly string[], known: readonly string[]): { labels: string[]; text?: string } {
  const labels = elements.filter((element) => known.includes(element));
  const texts = elements.filter((element) => !known.includes(element));
  return texts.length === 0 ? { labels } : { labels, text: texts.join(", ") };
}

/** `"A, B", Plain` → its elements, or nothing when the string is not strictly of this form. */
function readQuotedList(raw: string): string[] | undefined {
  const elements: string[] = [];
  let at = 0;
  for (;;) {
    const end = raw[at] === '"' ? closingQuote(raw, at) + 1 : bareEnd(raw, at);
    if (end <= at) return undefined;
    const element = unquoted(raw.slice(at, end));
    if (element === undefined) return undefined;
    elements.push(element);
    if (end === raw.length) return elements;
    if (!raw.startsWith(", ", end)) return undefined;
    at = end + 2;
  }
}

function closingQuote(raw: string, open: number): number {
  for (let at = open + 1; at < raw.length; at += 1) {
    if (raw[at] === '"') return at;
    if (raw[at] === "\\") at += 1;
  }
  return -1;
}

function bareEnd(raw: string, from: number): number {
  const comma = raw.indexOf(", ", from);
  return comma === -1 ? raw.length : comma;
}

function unquoted(element: string): string | undefined {
  if (!element.startsWith('"')) return element.includes('"') ? undefined : element;
  try {
    return String(JSON.parse(element));
  } catch {
    return undefined;
  }
}
