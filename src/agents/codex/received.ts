import { z } from "zod";
import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import type { Received, ReceivedChoice } from "../../core/receipt/received.ts";
import { truncate } from "../../core/text/text.ts";
import { NONE_OF_THEM, NOTE_MARK } from "./note-mark.ts";

const Answers = z.looseObject({
  answers: z.record(z.string(), z.looseObject({ answers: z.array(z.string()) })),
});
const MOST_UNREAD = 2000;
/** Word for word as 0.166.0 writes them: Esc or an interrupted turn; what its daemon died with. */
const ABORTED = /^(?:Wall time: [\d.]+ seconds\n)?aborted by user(?: after [\d.]+m?s)?\s*$/;
const CUT_OFF = /^aborted$/;
const DECLINED = /^(?:exec_command failed: .*Rejected\(\\?"rejected by user\\?"\)|patch rejected by user)/s;

/** What the model reads of a call: the text of its `function_call_output`. */
export function readOutput(text: string, questions: readonly Question[], kind: Kind): Received {
  if (ABORTED.test(text)) return { type: "refused", by: "escape", text };
  if (CUT_OFF.test(text.trim())) return { type: "interrupted", text };
  if (kind === "question") return answersIn(text, questions);
  if (DECLINED.test(text)) return { type: "denied", text, isWordless: true };
  return { type: "ran", text, isError: false };
}

/** By the ids of the questions. Nothing for any of them: its dialog ran out of time, or nobody was there to answer. */
function answersIn(text: string, questions: readonly Question[]): Received {
  const answers = Answers.safeParse(json(text)).data?.answers;
  if (!answers)
    return { type: "answers", choices: questions.map(() => undefined), unread: truncate(text, MOST_UNREAD), text };
  if (Object.values(answers).every((each) => each.answers.length === 0)) return { type: "timed-out", text };
  const choices = questions.map((question) => {
    const list = answers[String(question["id"])]?.answers;
    return list && choiceIn(question, list);
  });
  const isWhole = choices.every((choice) => choice !== undefined);
  return { type: "answers", choices, ...(!isWhole && { unread: truncate(text, MOST_UNREAD) }), text };
}

/** The first note beside no option is what somebody wrote in its place. */
function choiceIn(question: Question, list: readonly string[]): ReceivedChoice {
  const known = new Set(question.options.map(({ label }) => label));
  const labels = list.filter((element) => known.has(element));
  const others = list.filter((element) => !known.has(element) && element !== NONE_OF_THEM);
  const words = others.map((element) => (element.startsWith(NOTE_MARK) ? element.slice(NOTE_MARK.length) : element));
  const [own, ...notes] = labels.length === 0 ? words : [undefined, ...words];
  return { labels, ...(own !== undefined && { text: own }), ...(notes.length > 0 && { note: notes.join(" — ") }) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
