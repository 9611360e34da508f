import type { FormEntry } from "../../../core/form-draft.ts";
import { type FormState, updateForm } from "../../../core/form.ts";
import type { Option, Question } from "../../../core/question.ts";
import { safeLine } from "../../../core/text.ts";
import { leaveField } from "./forms.ts";
import { looksSelected, pickRow } from "./form-steps.ts";
import { InlineMarkdown } from "./markdown-view.tsx";

type Props = { form: FormState; set: (state: FormState) => void; question: Question; entry: FormEntry };

export function OptionRow({ form, set, question, entry, option, row }: Props & { option: Option; row: number }) {
  const label = safeLine(option.label, { max: 200 });
  const isSaid = /\(recommended\)\s*$/i.test(label);
  return (
    <label class="option" data-marked={form.phase === "answering" && form.row === row} data-stakes={option.stakes}>
      <input
        type={question.multiSelect ? "checkbox" : "radio"}
        name="option"
        checked={looksSelected(form, question, entry, row)}
        onChange={() => set(pickRow(form, row))}
      />
      <span class="words">
        <strong>{label}</strong>
        {option.recommended && !isSaid && <span class="tag">Recommended</span>}
        {option.stakes === "high" && <span class="tag danger">High stakes</span>}
        {option.description.trim() !== "" && (
          <span class="description">
            <InlineMarkdown text={option.description} />
          </span>
        )}
      </span>
      <kbd>{row + 1}</kbd>
    </label>
  );
}

export function OtherRow({ form, set, question, entry, confirm }: Props & { confirm: () => void }) {
  const row = question.options.length;
  const isOn = looksSelected(form, question, entry, row);
  return (
    <div class="option other" data-marked={form.phase === "answering" && form.row === row}>
      <input
        type={question.multiSelect ? "checkbox" : "radio"}
        name="option"
        aria-label="Other"
        checked={isOn}
        onChange={() => set(pickRow(form, row))}
      />
      <label class="words">
        <strong>Other</strong>
        <input
          type="text"
          name="other"
          aria-label="Your own answer"
          maxLength={10_000}
          placeholder="Type your own answer"
          autocomplete="off"
          value={entry.text}
          onFocus={() => form.phase !== "field" && set(updateForm(form, { kind: "openField" }))}
          onBlur={() => set(leaveField(form))}
          onInput={(event) => set(typed(form, event.currentTarget.value))}
          onKeyDown={(event) => {
            if (event.key === "Escape") return event.currentTarget.blur();
            if (event.key !== "Enter" || event.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            confirm();
          }}
        />
      </label>
      <kbd>{row + 1}</kbd>
    </div>
  );
}

/** Typing opens the field, wherever the form was. */
function typed(form: FormState, text: string): FormState {
  const open = form.phase === "field" ? form : updateForm(form, { kind: "openField" });
  return updateForm(open, { kind: "type", text });
}
