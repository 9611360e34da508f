import type { Answer } from "../../../core/ask/answer/answer.ts";
import type { Outcome } from "../../../core/ask/outcome.ts";
import { isRecommended, type Question } from "../../../core/ask/question.ts";
import { answersIn as contentAnswers, elicitationResult } from "../../../core/elicitation/elicitation-result.ts";
import { addressQuestions, formQuestions } from "../../../core/elicitation/form-questions.ts";
import type { Received, ReceivedChoice } from "../../../core/receipt/received.ts";
import { answersToSend, refusalToSend } from "../../../core/receipt/send.ts";
import { pickedLabels } from "../../../core/words/outcome/describe-answer.ts";
import { NOTE_MARK } from "../note-mark.ts";
import type { Form, FormField } from "./payload.ts";

type Content = Record<string, unknown>;

/** Its model asks with the tool `question`; else it is a form that somebody's program has made. */
export const isToolQuestion = ({ metadata }: Form): boolean => metadata?.kind === "question";

/**
 * The fields as questions. Undefined: one of them is nothing that is checked here, such as a pattern or a field that
 * appears with another's answer; then its own terminal alone has it. So it is with secrets.
 */
export function questionsIn(form: Form): Question[] | undefined {
  return isToolQuestion(form) ? form.fields.map(toolQuestion) : typedQuestions(form);
}

function toolQuestion({ key, type, title = "", description = "", options = [] }: FormField): Question {
  return {
    id: key,
    text: description || title || key,
    header: title,
    multiSelect: type === "multiselect",
    options: options.map(({ value, label, description: about = "" }) => ({
      label: value,
      description: label === value ? about : [label, about].filter(Boolean).join(": "),
      recommended: isRecommended(label),
    })),
  };
}

function typedQuestions({ title, metadata, fields }: Form): Question[] | undefined {
  const asker = { server: metadata?.server ?? "opencode", message: metadata?.message || title };
  const [first] = fields;
  const questions =
    first?.type === "external" && fields.length === 1 && first.url !== undefined
      ? addressQuestions({ ...asker, url: first.url }).map((question) => ({ ...question, id: first.key }))
      : formQuestions({ ...asker, schema: schemaOf(fields) })?.questions;
  return questions?.some(({ field }) => field?.secret === true) ? undefined : questions;
}

/** As the Model Context Protocol says the same. What has no word there stays as it is, and is refused. */
function schemaOf(fields: readonly FormField[]) {
  const properties = fields.map(({ key, required: _r, custom: _c, placeholder: _p, options, type, ...all }) => {
    const rest = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const choices = options?.map(({ value, label }) => ({ const: value, title: label }));
    if (type === "multiselect") return [key, { ...rest, type: "array", items: { anyOf: choices ?? [] } }];
    return [key, { ...rest, type, ...(choices && { oneOf: choices }) }];
  });
  const required = fields.filter((field) => field.required === true).map(({ key }) => key);
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** What the form is answered with. Undefined: it cannot be told this, and is cancelled instead. */
export function contentOf(questions: readonly Question[], outcome: Outcome): Content | undefined {
  if (questions.some(({ field }) => field !== undefined)) return typedContent(questions, outcome);
  const told = outcome.type === "answered" ? answersToSend(outcome) : undefined;
  const entries = questions.map((question, i): [string, string | string[]] => {
    const parts = told ? partsOf(question, told[i] ?? { picks: [] }) : [refusalToSend(outcome)];
    return [keyOf(question), question.multiSelect ? parts : parts.join(" ")];
  });
  return Object.fromEntries(entries.filter(([, value]) => value.length > 0));
}

function typedContent(questions: readonly Question[], outcome: Outcome): Content | undefined {
  const result = elicitationResult(questions, outcome);
  if (result?.action !== "accept") return undefined;
  const [first] = questions;
  return first?.field?.type === "address" ? { [keyOf(first)]: true } : result.content;
}

const keyOf = ({ id, field }: Question): string => (typeof id === "string" ? id : (field?.name ?? ""));

/** A field with one value has one text for all of it. */
function partsOf(question: Question, { picks, text, note }: Answer): string[] {
  return [...pickedLabels(question, { picks }), ...(text ? [text] : []), ...(note ? [`${NOTE_MARK}${note}`] : [])];
}

/** What became of a form that is no call of its model's: nothing but this says so. */
export function receivedIn(questions: readonly Question[], content: Content | undefined): Received {
  if (!content) return { type: "refused", by: "escape", text: "" };
  const said = JSON.stringify(content);
  const [first] = questions;
  const answers =
    first?.field?.type === "address" ? [{ picks: [0] }] : (contentAnswers(questions, content) ?? questions.map(none));
  const choices = answers.map((answer, i): ReceivedChoice => {
    const question = questions[i];
    return {
      labels: question ? pickedLabels(question, answer) : [],
      ...(answer.text !== undefined && { text: answer.text }),
    };
  });
  return { type: "answers", choices, text: said };
}

const none = (): Answer => ({ picks: [] });
