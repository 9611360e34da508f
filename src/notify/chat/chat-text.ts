import { aboutOption } from "../../core/words/option-about.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import { askTitle } from "../../core/ask/title.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { describeAnswers } from "../../core/words/outcome/describe-answer.ts";
import { titleIn } from "../../core/words/session-words.ts";
import { type ChatDraft, orNothing } from "./chat-draft.ts";
import { isPressable } from "./pressable.ts";

/** Of the 4096 characters a message may have, with room for what became of it. */
export const LONGEST = { text: 3400, label: 60, option: 200, words: 300 };
/** Room for where it comes from, and for a note. */
const HEAD = 600;
const MOST_OPTIONS = 50;

/** An edit is shown as what it makes of the file that is there. */
export const shownOf = ({ questions, diff }: Pick<Ask, "questions" | "diff">): Question[] =>
  diff === undefined ? questions : questions.map((question, i) => (i === 0 ? { ...question, body: diff } : question));

/** All of it is seen in a message. */
export function fitsWhole(question: Question): boolean {
  const fits = (text: string) => safeLine(text) === safeLine(text, { max: LONGEST.option });
  const { options } = question;
  if (options.length > MOST_OPTIONS || questionText(question).length > LONGEST.text - HEAD) return false;
  return options.every(({ label, description }) => fits(label) && fits(description));
}

/** Where it comes from: a line, and one for the session's name where it has one. */
export function headLines({ kind, origin }: Ask, agent: string): string[] {
  const [session] = titleIn(origin.sessionTitle, LONGEST.label);
  const tag = kind === "question" ? "" : ` [${kind}]`;
  const from = [origin.project, agent]
    .filter((name) => name !== undefined && name !== "")
    .map((name) => safeLine(name ?? "", { max: 60 }));
  return [`${from.join(" · ")}${tag}`, ...(session === undefined ? [] : [session])];
}

/** The question at its place; at the end all answers, to be sent. */
export function textOf(ask: Ask, draft: ChatDraft, at: number, agent: string): string {
  const question = shownOf(ask)[at];
  const count = ask.questions.length > 1 && question ? [`(${at + 1} of ${ask.questions.length})`] : [];
  const note = draft.note === undefined ? [] : ["", `Note: ${safeLine(draft.note, { max: LONGEST.words })}`];
  const asked = question ? [questionText(question)] : chosenOf(ask, draft);
  return [...headLines(ask, agent), "", ...count, ...asked, ...note].join("\n").trim();
}

/** Of one question all is shown again: whoever sends it sees for what. */
function chosenOf(ask: Ask, { answers }: ChatDraft): string[] {
  const chosen = ask.questions.map(
    (question, i) => `→ ${safeLine(saidOf(question, orNothing(answers[i])), { max: LONGEST.words })}`,
  );
  const [only, ...others] = shownOf(ask);
  if (only && others.length === 0) return [questionText(only), "", ...chosen];
  const titleOf = (question: Question) => askTitle({ kind: "question", questions: [question] }, { max: 120 });
  return ask.questions.map((question, i) => `${titleOf(question)}\n${chosen[i]}`);
}

const saidOf = (question: Question, answer: Answer) => describeAnswers([question], [answer]) || "nothing";

/** Its options as numbered lines. */
export function optionLines({ options, multiSelect }: Question): string[] {
  const lines = options.flatMap((option, i) => {
    if (!isPressable(option) && option.effect === "cancel") return [];
    const about = safeLine(aboutOption(option), { max: LONGEST.option });
    return [`${i + 1}. ${safeLine(option.label, { max: LONGEST.option })}${about === "" ? "" : ` – ${about}`}`];
  });
  return [...lines, ...(multiSelect ? ["(several may be chosen)"] : [])];
}

function questionText(question: Question): string {
  const { text, body } = question;
  const lines = optionLines(question);
  const about = body === undefined || body.trim() === "" ? [] : ["", safeText(body).trim()];
  return [safeText(text).trim(), ...about, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}
