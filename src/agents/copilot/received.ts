import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import { decodeChoice } from "../../core/receipt/compare.ts";
import type { Received, ReceivedChoice } from "../../core/receipt/received.ts";
import { truncate } from "../../core/text/text.ts";
import { ANSWERED, splitNote } from "./hold-answer.ts";

const MOST_UNREAD = 2000;
/** Word for word as 1.0.102 writes them. */
const RESPONDED = /^User responded:\s?/;
const CANCELLED = "User cancelled the request.";
const DECLINED = "The user is not available to respond";
const BY_HOOK = /^Denied by preToolUse hook: /;
const REJECTED = /^The user rejected this tool call\./;
const BY_GRANT_HOOK = /^Permission denied by a PermissionRequest hook/;
const CUT_OFF = /^Tool execution was interrupted before a result was recorded/;

/** What became of a call. `detail`: the same, line by line, where the record has it so. */
export type Completed = { text: string; detail: string; isError: boolean; code: string };

export function readCompleted(done: Completed, questions: readonly Question[], kind: Kind): Received {
  const { text, isError, code } = done;
  if (CUT_OFF.test(text)) return { type: "interrupted", text };
  if (kind === "question") return answersIn(done, questions);
  if (REJECTED.test(text) || BY_GRANT_HOOK.test(text) || BY_HOOK.test(text)) return { type: "denied", text };
  return code === "denied" ? { type: "denied", text } : { type: "ran", text, isError };
}

function answersIn({ text, detail }: Completed, questions: readonly Question[]): Received {
  if (text === CANCELLED || text.startsWith(DECLINED)) return { type: "refused", by: "escape", text };
  const held = text.replace(BY_HOOK, "");
  const isHeld = held !== text && held.startsWith(ANSWERED);
  if (held !== text && !isHeld) return { type: "denied", text };
  const body = isHeld ? held.slice(ANSWERED.length).trimStart() : detail.replace(RESPONDED, "");
  const raws = RESPONDED.test(text) || isHeld ? fieldsIn(body, questions) : [];
  const choices = questions.map((question, i) => {
    const raw = raws[i];
    return raw === undefined ? undefined : choiceIn(question, raw, isHeld);
  });
  const isWhole = choices.every((choice) => choice !== undefined);
  return { type: "answers", choices, ...(!isWhole && { unread: truncate(text, MOST_UNREAD) }), text };
}

/** `db: pg` on a line of its own for each field, in their order; an answer may go on below. */
function fieldsIn(body: string, questions: readonly Question[]): (string | undefined)[] {
  const starts: number[] = [];
  for (const { id } of questions) {
    const [mark, from] = [`${String(id)}: `, starts.at(-1) ?? -1];
    const isFirst = from < 0 && body.startsWith(mark);
    const next = body.indexOf(`\n${mark}`, Math.max(0, from));
    starts.push(isFirst ? 0 : next < 0 ? Number.NaN : next + 1);
  }
  return questions.map(({ id }, i) => {
    const start = starts[i] ?? Number.NaN;
    const end = starts.slice(i + 1).find((each) => !Number.isNaN(each));
    return Number.isNaN(start)
      ? undefined
      : body.slice(start + String(id).length + 2, end === undefined ? undefined : end - 1);
  });
}

/** The record has the values; an Ask has what the dialog shows for them. A hook of ours was told the labels. */
function choiceIn(question: Question, line: string, isHeld: boolean): ReceivedChoice {
  if (isHeld) {
    const [answer, note] = splitNote(line);
    return { ...decodeChoice(question, answer), raw: answer, ...(note !== undefined && { note }) };
  }
  const values = question.options.map((option) => ({ ...option, label: String(option["value"]) }));
  const { labels, text } = decodeChoice({ ...question, options: values }, line);
  const shown = labels.map(
    (label) => question.options[values.findIndex((each) => each.label === label)]?.label ?? label,
  );
  return { labels: shown, ...(text !== undefined && { text }), raw: line };
}
