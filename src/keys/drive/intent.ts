import { type Layout, mannerOf } from "../../agents/capability/screen-layout.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { Settlement } from "../../core/ask/settle.ts";
import { squeeze } from "../read/squeeze.ts";

/**
 * What shall stand in the dialog in the end; options are counted from 0. `leave`: Esc, and a text goes into the input box
 * then. `verdict`: of a dialog about a call, the row of that name; `body` is what a person was shown of it.
 */
export type Intent =
  | { type: "answers"; answers: readonly Answer[] }
  | { type: "chat"; text: string }
  | { type: "leave"; text?: string }
  | { type: "verdict"; row: string; call: ToolCall; body: string; text?: string };

/** What goes into the input box when the dialog is closed. */
export const messageIn = (intent: Intent): string | undefined =>
  intent.type === "answers" ? undefined : intent.text?.trim();

/** What `core/action.ts` makes of a decider's actions; it gives nothing else. */
export function intentOf({ action, answers, message }: Settlement): Intent {
  return action === "chat"
    ? { type: "chat", text: message ?? "" }
    : { type: "answers", answers: answers as readonly Answer[] };
}

/** Why this cannot be typed into any dialog of these layouts; undefined when it can. */
export function refuseIntent(
  questions: readonly Question[],
  intent: Intent,
  layouts: readonly Layout[],
): string | undefined {
  if (intent.type !== "answers") return refuseUnanswered(intent, layouts);
  if (intent.answers.length !== questions.length) return "There must be one answer for each question";
  const problems = questions.map((question, i) => refuseAnswer(question, intent.answers[i], layouts));
  const first = problems.findIndex((problem) => problem !== undefined);
  return first < 0 ? undefined : `Question ${first + 1}: ${problems[first]}`;
}

function refuseUnanswered(
  intent: Exclude<Intent, { type: "answers" }>,
  layouts: readonly Layout[],
): string | undefined {
  const manners = layouts.map(mannerOf);
  if (intent.type === "chat" && manners.some((manner) => manner)) return "The dialog has no row for that";
  if (intent.type === "leave" && !manners.every((manner) => manner)) return "Parley does not leave this dialog by Esc";
  if (intent.type === "verdict" && !manners.every((manner) => manner?.verdicts[intent.row]))
    return "The dialog has no row for that";
  const text = messageIn(intent);
  return text === undefined ? undefined : refuseMessage(text, layouts);
}

function refuseMessage(text: string, layouts: readonly Layout[]): string | undefined {
  if (layouts.some((layout) => "leave" in layout)) return "The agent's dialog has no row for a message";
  if (layouts.some((layout) => !("leave" in layout) && layout.notWords.test(text.trim())))
    return "The message begins with, or holds a word that begins with, a sign that the agent's input box takes for a command";
  return refuseText(text, "The message");
}

function refuseAnswer(
  { options, multiSelect }: Question,
  answer: Answer | undefined,
  layouts: readonly Layout[],
): string | undefined {
  if (!answer) return "there is no answer";
  const { picks, text, note } = answer;
  if (picks.some((pick) => options[pick] === undefined)) return "there is no such option";
  if (text === undefined && picks.length === 0) return "nothing is picked and nothing typed: Enter would decline";
  if (!multiSelect && picks.length + (text === undefined ? 0 : 1) > 1) return "it takes one option, or own words";
  const hasPreview = options.some(({ preview }) => preview !== undefined);
  if (text !== undefined && hasPreview) return "beside previews there is no row for own words";
  if (text !== undefined && layouts.some(({ ownWords }) => ownWords.includes(text.trim())))
    return "the text is what the empty row says";
  if (note !== undefined && !(hasPreview && !multiSelect)) return "the dialog takes a note only beside a preview";
  if (
    note !== undefined &&
    layouts.some((layout) => "leave" in layout || ("preview" in layout && !layout.preview.keepsPick))
  )
    return "this version of the agent loses the option when a note is added";
  return (
    (text === undefined ? undefined : refuseText(text, "the text")) ??
    (note === undefined ? undefined : refuseText(note, "the note"))
  );
}

function refuseText(text: string, what: string): string | undefined {
  if (squeeze(text) === "") return `${what} is empty`;
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text) || !text.isWellFormed())
    return `${what} holds control characters or line breaks, which are keys in a terminal`;
  return undefined;
}
