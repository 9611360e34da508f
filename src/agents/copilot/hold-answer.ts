import { encodeChoice } from "../../core/receipt/compare.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { answersToSend } from "../../core/receipt/send.ts";

/** Before a dialog a hook can only deny: so the denial carries the answer, and says that it is one. */
export const ANSWERED = "This is no refusal: the user has answered this question outside of the terminal.";
const NOTE = " — note: ";

export function answerText({ questions }: Ask, outcome: Outcome): string {
  const answers = answersToSend(outcome);
  const lines = questions.map((question, i) => {
    const answer = answers[i] ?? { picks: [] };
    const note = answer.note === undefined ? "" : `${NOTE}${answer.note}`;
    return `${String(question["id"])}: ${encodeChoice(question, answer, "quoted")}${note}`;
  });
  return [ANSWERED, ...lines].join("\n");
}

/** The note that such a line ends with. */
export function splitNote(line: string): [answer: string, note: string | undefined] {
  const at = line.lastIndexOf(NOTE);
  return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + NOTE.length)];
}
