import { here } from "../../../../core/form/state.ts";
import { endsAll } from "../../../../core/form/walk.ts";
import { type FormState, updateForm } from "../../../../core/form/form.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { leaveField, looksSelected } from "../../../../core/form/point.ts";
import { isCancel } from "../../../../core/form/rows.ts";
import { declineWords, stopWords, takesWords } from "../../../../core/words/outcome/refusal-words.ts";
import { takesFeedback } from "./form-steps.ts";

/** What takes the place of the buttons until it is sent or closed. */
export type Aside = "cancel" | "decline" | "chat" | "snooze" | "grant" | "edit";
type Props = {
  ask: AskView;
  form: FormState;
  busy: boolean;
  set: (state: FormState) => void;
  open: (aside: Aside) => void;
  markDone: (() => void) | undefined;
  /** Only what a hub carries: neither snooze nor grants nor changed calls. */
  isHub: boolean;
};

export function FormActions({ ask, form, busy, set, open, markDone, isHub }: Props) {
  const [decline, stop] = [declineWords(ask), stopWords(ask)];
  const hasRow = ask.questions.some(({ options }) => options.some(isCancel));
  return (
    <div class="actions">
      <button class="button primary" type="submit" disabled={busy}>
        {confirmWords(ask, form)} <kbd>Enter</kbd>
      </button>
      {(form.current > 0 || form.phase === "review") && (
        <button class="button" type="button" onClick={() => set(updateForm(form, { kind: "back" }))}>
          Back
        </button>
      )}
      {ask.editable && !isHub && (
        <button class="button" type="button" onClick={() => open("edit")}>
          Change it first
        </button>
      )}
      <span class="gap" />
      {markDone && (
        <button class="button quiet" type="button" disabled={busy} onClick={markDone}>
          Mark as Done
        </button>
      )}
      {mayGrant(ask) && !isHub && (
        <button class="button quiet" type="button" onClick={() => open("grant")}>
          {ask.kind === "plan" ? "Allow what it names" : "Allow for a while"}
        </button>
      )}
      {!isHub && (
        <button class="button quiet" type="button" onClick={() => open("snooze")}>
          Snooze
        </button>
      )}
      {decline && (
        <>
          {takesWords(ask) && (
            <button class="button quiet" type="button" onClick={() => open("chat")}>
              Chat about this
            </button>
          )}
          <button class="button quiet" type="button" onClick={() => open("decline")}>
            {decline.name}
          </button>
        </>
      )}
      {stop && !hasRow && (
        <button class="button quiet" type="button" onClick={() => open("cancel")}>
          {stop.name}
        </button>
      )}
    </div>
  );
}

/** A call that is known in full, or a plan with a text. */
export const mayGrant = ({ kind, call, questions: [question] }: AskView): boolean =>
  (kind === "approval" && call !== undefined) || (kind === "plan" && question?.body !== undefined);

function confirmWords(ask: AskView, form: FormState): string {
  const { questions, phase, current } = form;
  if (endsAll(leaveField(form))) return stopWords(ask)?.name ?? "";
  if (phase !== "review" && questions.length > 1) return current + 1 < questions.length ? "Next" : "Review";
  const { question, entry } = here(form);
  if (questions.length > 1 || !question || !entry || !takesFeedback(ask, question)) return "Confirm Answers";
  const isOption = entry.picks.length > 0 && !looksSelected(form, question, entry, question.options.length);
  return isOption ? "Confirm Answers" : "Submit Feedback";
}
