import { z } from "zod";
import type { Question } from "../../../core/ask/question.ts";
import type { Received, ReceivedChoice } from "../../../core/receipt/received.ts";
import { truncate } from "../../../core/text/text.ts";
import { NOTE_MARK } from "../note-mark.ts";

/** What came of a call, in an event or in the record. */
export type CallResult = {
  tool: string;
  error?: { type: string; message: string } | undefined;
  answers: unknown;
  content: unknown;
};
const MOST_UNREAD = 2000;
const DISMISSED = ["The user dismissed this question", "The user declined this tool call"];
/** Whoever refuses with words lets the turn go on, and the words are lost: the model reads that it did not work. */
const REFUSED = /^(?:Unable to |Permission denied)/;
const STOPPED = /^Tool execution (?:was )?(?:interrupted|aborted)/;

/** Word for word as 0.0.0-next-16350 and the first preview write them. */
export function receivedOf({ tool, error, answers, content }: CallResult, questions: readonly Question[]): Received {
  const text = textIn(content);
  if (error) return failed(error);
  if (tool !== "question") return { type: "ran", text, isError: false };
  return answersIn(questions, answers, text);
}

function failed({ type, message: text }: { type: string; message: string }): Received {
  if (DISMISSED.some((words) => text.startsWith(words))) return { type: "refused", by: "escape", text };
  if (STOPPED.test(text) || type === "aborted") return { type: "interrupted", text };
  if (REFUSED.test(text)) return { type: "denied", text, isWordless: true };
  return { type: "ran", text, isError: true };
}

/** The model reads one text in which the answers are joined; only the list beside it tells them apart. */
function answersIn(questions: readonly Question[], answers: unknown, text: string): Received {
  const lists = Array.isArray(answers) ? (answers as unknown[]) : [];
  const choices = questions.map((question, i) => choiceIn(question, lists[i], text));
  if (choices.length > 0 && choices.every((choice) => choice !== undefined)) return { type: "answers", choices, text };
  const unread = truncate(Array.isArray(answers) ? (JSON.stringify(answers) ?? "") : text, MOST_UNREAD);
  return { type: "answers", choices, unread, text };
}

function choiceIn(question: Question, list: unknown, text: string): ReceivedChoice | undefined {
  if (!Array.isArray(list) || !list.every((element) => typeof element === "string")) return undefined;
  if (!text.includes(`"${question.text}"="${list.join(", ") || "Unanswered"}"`)) return undefined;
  const labels = question.options.map(({ label }) => label);
  const parts = list.flatMap((element) => partsIn(element, labels));
  const own = parts.filter((part) => !labels.includes(part));
  const texts = own.filter((part) => !part.startsWith(NOTE_MARK));
  const note = own.find((part) => part.startsWith(NOTE_MARK))?.slice(NOTE_MARK.length);
  return {
    labels: parts.filter((part) => labels.includes(part)),
    ...(texts.length > 0 && { text: texts.join(", ") }),
    ...(note !== undefined && { note }),
  };
}

/** A question with one answer has one text for label and note: `SQLite [note] it is enough`. */
function partsIn(element: string, labels: readonly string[]): string[] {
  if (labels.includes(element) || element.startsWith(NOTE_MARK)) return [element];
  const mark = ` ${NOTE_MARK}`;
  const label = labels
    .filter((each) => element.startsWith(each + mark))
    .toSorted((a, b) => b.length - a.length)
    .at(0);
  const at = label === undefined ? element.indexOf(mark) : label.length;
  return at < 0 ? [element] : [element.slice(0, at), element.slice(at + 1)];
}

const Texts = z.array(z.looseObject({ type: z.string(), text: z.string().catch("") })).catch([]);
const textIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Texts.parse(content)
        .map(({ text }) => text)
        .filter(Boolean)
        .join("\n");
