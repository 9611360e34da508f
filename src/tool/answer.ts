import type { Answer } from "../core/ask/answer/answer.ts";
import { pickedLabels } from "../core/words/outcome/describe-answer.ts";
import { parsePrefill } from "../core/ask/answer/prefill.ts";
import type { Question } from "../core/ask/question.ts";
import { type AskUserQuestionArgs, OTHER_OPTION_LABEL } from "./schema.ts";

/** One text for each question, by its header. */
export type AskUserQuestionAnswers = Record<string, string>;

/** One answer with its parts apart: what was picked (`picks` are option indices), typed, and noted beside it. */
export type LosslessAnswer = {
  header: string;
  question: string;
  picks: number[];
  labels: string[];
  text?: string;
  note?: string;
};

export function lossless(question: Question, { picks, text, note }: Answer): LosslessAnswer {
  return {
    header: question.header,
    question: question.text,
    picks,
    labels: pickedLabels(question, { picks }),
    ...(text !== undefined && { text }),
    ...(note !== undefined && { note }),
  };
}

/** What somebody has chosen so far; questions with nothing in them are left out. */
export function partial(questions: readonly Question[], answers: readonly Answer[]): LosslessAnswer[] {
  return questions
    .map((question, i) => lossless(question, answers[i] ?? { picks: [] }))
    .filter(({ picks, text, note }) => picks.length > 0 || text !== undefined || note !== undefined);
}

/** Of answers given as text alone: as good as the text can be read. */
export function readAnswers(questions: readonly Question[], given: AskUserQuestionAnswers): LosslessAnswer[] {
  return questions.flatMap((question) => {
    const text = Object.hasOwn(given, question.header) ? given[question.header] : undefined;
    return text === undefined ? [] : [lossless(question, parsePrefill(question, text))];
  });
}

export function answersByHeader(answers: readonly LosslessAnswer[]): AskUserQuestionAnswers {
  return Object.fromEntries(answers.map((answer) => [answer.header, answerText(answer)]));
}

/** `Auth, Search, Other: my own`. */
export function answerText({ labels, text }: Pick<LosslessAnswer, "labels" | "text">): string {
  return [...labels, ...(text === undefined ? [] : [`${OTHER_OPTION_LABEL}: ${text}`])].join(", ");
}

export function formatAskUserQuestionOutput(
  questions: readonly Pick<AskUserQuestionArgs["questions"][number], "header">[],
  answers: AskUserQuestionAnswers,
): string {
  const lines = questions.map(({ header }) => `- ${header}: ${Object.hasOwn(answers, header) ? answers[header] : ""}`);
  return ["Collected answers:", ...lines, "", "JSON:", JSON.stringify({ answers }, null, 2)].join("\n");
}

/** Notes have no place among the answers, and a model reads only text: they stand in a text of their own. */
export function formatNotes(answers: readonly LosslessAnswer[]): string | undefined {
  const lines = answers.flatMap(({ header, note }) => (note === undefined ? [] : [`- ${header}: ${note}`]));
  return lines.length === 0 ? undefined : ["Notes:", ...lines].join("\n");
}
