import { plainText } from "../text/markdown.ts";
import { safeLine, safeText } from "../text/text.ts";
import { NO_DETAILS } from "../words/ask-words.ts";
import type { Ask } from "./ask.ts";
import { callTitle } from "./call-title.ts";
import type { Question } from "./question.ts";

type Named = Pick<Ask, "kind" | "questions">;
const LONGEST = 240;

/**
 * What an Ask is called, on every surface and in every notification: the question, the call that waits for leave, the
 * plan. Contract: one line, safe to print, never empty.
 */
export function askTitle({ kind, questions: [first] }: Named, { max = LONGEST }: { max?: number } = {}): string {
  if (!first) return NO_DETAILS;
  const subject = subjectOf(kind, first).slice(0, max * 8);
  // What a question says in markdown is said without its marks; a command is to the letter.
  const words = kind === "question" ? plainText(safeText(subject)) : "";
  return safeLine(words.trim() === "" ? subject : words, { max }) || NO_DETAILS;
}

/** The same for all of its questions; only questions come in several. */
export const askTitles = ({ kind, questions }: Named): string =>
  questions.map((question) => askTitle({ kind, questions: [question] })).join(" / ") || NO_DETAILS;

function subjectOf(kind: Ask["kind"], { title, text, body = "" }: Question): string {
  if (title !== undefined && title.trim() !== "") return title;
  if (kind === "plan") return headingIn(body) || text;
  // Stored before calls had names: a command stands in what it is about.
  return kind === "approval" && body.startsWith("$ ") ? commandIn(body) : text;
}

/** Below the command may stand what the agent says of it. */
const commandIn = (body: string): string =>
  callTitle({ type: "command", command: body.slice(2).replace(/\n# [^\n]*$/, "") });

/** A plan's first heading that says something, or its first line, without its marks. */
function headingIn(plan: string): string {
  const lines = plan.slice(0, LONGEST * 40).split("\n");
  const headings = lines.filter((line) => /^\s{0,3}#{1,6}\s/.test(line));
  return [...headings, ...lines].map(withoutMarks).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
}

/** That it is a plan is said beside it. */
const withoutMarks = (line: string): string =>
  line
    .replace(/^[\s#>*+-]+/, "")
    .replace(/[\s#]+$/, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/^(?:the |my |implementation )?plan(?:\s*[:–—-]\s*|$)/i, "");
