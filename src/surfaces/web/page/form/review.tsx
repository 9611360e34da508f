import { describeAnswer } from "../../../../core/words/outcome/describe-answer.ts";
import { entryAnswer, entryError } from "../../../../core/form/entry.ts";
import { type FormState, updateForm } from "../../../../core/form/form.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import { errorText } from "./form-steps.ts";

type Props = { form: FormState; set: (state: FormState) => void };

/** Everything once more before it goes out. */
export function Review({ form, set }: Props) {
  return (
    <dl class="review">
      {form.questions.map((question, i) => {
        const entry = form.entries[i];
        const error = entry && entryError(question, entry);
        return (
          <div>
            <dt>
              <span class="chip">{safeLine(headerOf(question), { max: 60 })}</span>{" "}
              {safeLine(question.text, { max: 300 })}
            </dt>
            <dd>
              {error === undefined && entry ? (
                <strong>{safeText(describeAnswer(question, entryAnswer(entry)))}</strong>
              ) : (
                <span class="error">{errorText(error ?? "")}</span>
              )}
              <button class="link" type="button" onClick={() => set(updateForm(form, { kind: "goTo", question: i }))}>
                Change
              </button>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
