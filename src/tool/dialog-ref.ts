import type { Answer } from "../core/ask/answer/answer.ts";
import type { FormDraft } from "../core/form/form.ts";
import { entryAnswer } from "../core/form/entry.ts";
import type { Question } from "../core/ask/question.ts";
import type { OpenEnd } from "../dialog/open-dialog.ts";
import { lossless, type LosslessAnswer, partial } from "./answer.ts";
import { aborted, ALREADY_OPEN, AskUserQuestionError, CANCELLED } from "./error.ts";
import { problemLines, readArgs } from "./schema.ts";
import type { AskUserQuestionRef } from "./tool.ts";

export type DialogQuestions = { questions: readonly Question[]; prefill?: readonly Answer[] };
/** Draws the questions for a person and waits. Contract: the signal closes it, and then it ends as `aborted`. */
export type ShowDialog = (asked: DialogQuestions & { signal: AbortSignal }) => Promise<OpenEnd>;

/** The dialog on the whole of this terminal. */
export const showInTerminal: ShowDialog = async (asked) => (await import("../dialog/open-dialog.ts")).openDialog(asked);

/** Asks in a dialog here, one at a time; nothing else is needed. */
export function createDialogRef(show: ShowDialog = showInTerminal): AskUserQuestionRef {
  let isOpen = false;
  return {
    handlesAbort: true,
    async current(args, signal = new AbortController().signal) {
      const asked = questionsOf(args);
      if (isOpen) throw new AskUserQuestionError("invalid", ALREADY_OPEN);
      if (signal.aborted) throw aborted();
      isOpen = true;
      try {
        return { lossless: collect(asked.questions, await show({ ...asked, signal })) };
      } finally {
        isOpen = false;
      }
    },
  };
}

export function questionsOf(args: unknown): DialogQuestions {
  const read = readArgs(args);
  if (read.ok) return read;
  throw new AskUserQuestionError("invalid", problemLines(read.problems), { problems: read.problems });
}

export function collect(questions: readonly Question[], end: OpenEnd): LosslessAnswer[] {
  if (end.type === "submitted")
    return questions.map((question, i) => lossless(question, end.answers[i] ?? { picks: [] }));
  if (end.type === "aborted") throw aborted(drafted(questions, end.draft));
  throw new AskUserQuestionError("cancelled", CANCELLED, { lossless: drafted(questions, end.draft) });
}

export function drafted(questions: readonly Question[], draft: FormDraft): LosslessAnswer[] {
  return partial(
    questions,
    draft.entries.map((entry) => entryAnswer(entry)),
  );
}
