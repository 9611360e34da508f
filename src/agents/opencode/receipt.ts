import type { Question } from "../../core/ask/question.ts";
import type { Received, ReceivedChoice } from "../../core/receipt/received.ts";
import { truncate } from "../../core/text/text.ts";
import { NOTE_MARK } from "./note-mark.ts";
import { questionsOf, ToolPart } from "./payload.ts";

export type PartReading = {
  session?: string;
  key: string;
  turn?: string;
  tool: string;
  /** Empty where the call is no question. */
  questions: Question[];
  /** `running`: nothing came of it yet. So a call stays for ever that was cut off by the end of opencode. */
  received: Received | "running";
};

const MOST_UNREAD = 2000;
const DISMISSED = "The user dismissed this question";
const REJECTED = "The user rejected permission to use this specific tool call";
const WITH_WORDS = `${REJECTED} with the following feedback: `;
/** The turn was stopped from outside; the second is what a model is told of a call that opencode died with. */
const INTERRUPTED = ["Tool execution aborted", "[Tool execution was interrupted]"];

/** What a tool call of opencode's own record says. Contract: never throws; undefined for what is no tool call. */
export function readPart(raw: unknown): PartReading | undefined {
  const part = ToolPart.safeParse(raw).data;
  if (!part) return undefined;
  const questions = (part.tool === "question" ? questionsOf(part.state.input) : undefined) ?? [];
  return {
    ...(part.sessionID !== undefined && { session: part.sessionID }),
    ...(part.messageID !== undefined && { turn: part.messageID }),
    key: part.callID,
    tool: part.tool,
    questions,
    received: receivedIn(part, questions),
  };
}

function receivedIn({ tool, state }: ToolPart, questions: readonly Question[]): Received | "running" {
  const { status, output = "", error = "", metadata } = state;
  if (status === "error") return failed(error, metadata?.["interrupted"] === true);
  if (status !== "completed") return "running";
  if (tool !== "question") return { type: "ran", text: output, isError: false };
  return answersIn(questions, metadata?.["answers"], output);
}

/** Word for word as 1.1.11, 1.3.2 and 1.18.33 write them; 1.1.11 puts the kind of the error before its words. */
function failed(error: string, isInterrupted: boolean): Received {
  const text = error.replace(/^[A-Za-z]*Error: /, "");
  if (text.startsWith(DISMISSED)) return { type: "refused", by: "escape", text };
  if (text.startsWith(WITH_WORDS)) return { type: "denied", text };
  if (text.startsWith(REJECTED)) return { type: "refused", by: "escape", text };
  if (isInterrupted || INTERRUPTED.some((words) => text.startsWith(words))) return { type: "interrupted", text };
  return { type: "ran", text: error, isError: true };
}

/**
 * The model reads one text in which labels are joined with commas; only the list beside it tells them apart. Without that
 * list, or where the text does not hold what the list says, a choice is unread.
 */
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
  const known = new Set(question.options.map(({ label }) => label));
  const own = list.filter((element) => !known.has(element));
  const texts = own.filter((element) => !element.startsWith(NOTE_MARK));
  const note = own.find((element) => element.startsWith(NOTE_MARK))?.slice(NOTE_MARK.length);
  return {
    labels: list.filter((element) => known.has(element)),
    ...(texts.length > 0 && { text: texts.join(", ") }),
    ...(note !== undefined && { note }),
  };
}
