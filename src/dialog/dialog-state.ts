import type { Answer } from "../core/ask/answer/answer.ts";
import type { Question } from "../core/ask/question.ts";
import { type FormDraft, type FormState, openForm } from "../core/form/form.ts";
import { here } from "../core/form/state.ts";

/** What is on the screen around the form. Contract: `cursor` belongs to the text that is open: the note, else the field. */
export type DialogState = {
  readonly form: FormState;
  /** What takes the keys: the form itself, the note, the preview alone, or the question whether to leave or to end everything. */
  readonly over: "form" | "note" | "preview" | "leaving" | "ending";
  readonly collapsed: boolean;
  /** Somebody else settled it. */
  readonly concluded: string | undefined;
  readonly ended: "submitted" | "cancelled" | undefined;
  /** Leaving ends nothing: the question stays open, and what was entered is kept. */
  readonly closes: boolean;
  readonly cursor: number;
  /** First line shown of the text above the options (the question's own while undefined), and of what belongs to the option under the cursor. */
  readonly scroll: { readonly head: number | undefined; readonly detail: number };
  /** Digits typed so far and when, so that 1 and 2 in a row mean 12. */
  readonly digits: { readonly typed: string; readonly at: number };
  readonly restored: boolean;
};

export function openState(
  questions: readonly Question[],
  { closes = false, ...given }: { closes?: boolean; draft?: FormDraft; prefill?: readonly Answer[] } = {},
): DialogState {
  const opened = openForm(questions, given);
  return {
    form: opened,
    over: "form",
    collapsed: false,
    concluded: undefined,
    ended: undefined,
    closes,
    cursor: fieldText(opened).length,
    scroll: { head: undefined, detail: 0 },
    digits: { typed: "", at: 0 },
    restored: given.draft !== undefined && isFilled(opened),
  };
}

function isFilled({ entries }: FormState): boolean {
  return entries.some(({ picks, text, note }) => picks.length > 0 || text !== "" || note !== "");
}

export function fieldText(form: FormState): string {
  return here(form).entry?.text ?? "";
}

export function noteText(form: FormState): string {
  return here(form).entry?.note ?? "";
}
