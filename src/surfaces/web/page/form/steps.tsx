import { entryError } from "../../../../core/form/entry.ts";
import { type FormState, updateForm } from "../../../../core/form/form.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import { safeLine } from "../../../../core/text/text.ts";

type Props = { form: FormState; set: (state: FormState) => void };

export function Steps({ form, set }: Props) {
  const isCurrent = (i: number) => form.phase !== "review" && form.current === i;
  return (
    <ol class="steps" aria-label="Questions">
      {form.questions.map((question, i) => {
        const entry = form.entries[i];
        const isDone = entry !== undefined && entryError(question, entry) === undefined;
        return (
          <li>
            <button
              type="button"
              aria-current={isCurrent(i) ? "step" : undefined}
              data-done={isDone}
              data-wrong={form.errors[i] !== undefined}
              onClick={() => set(updateForm(form, { kind: "goTo", question: i }))}
            >
              <span class="number">{isDone ? "✓" : i + 1}</span>
              {safeLine(headerOf(question), { max: 24 })}
            </button>
          </li>
        );
      })}
      <li>
        <button
          type="button"
          aria-current={form.phase === "review" ? "step" : undefined}
          onClick={() => set(updateForm(form, { kind: "review" }))}
        >
          Review
        </button>
      </li>
    </ol>
  );
}
