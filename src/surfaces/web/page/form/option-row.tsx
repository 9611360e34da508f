import { aboutOption } from "../../../../core/words/option-about.ts";
import type { FormEntry } from "../../../../core/form/draft.ts";
import { type FormState, updateForm } from "../../../../core/form/form.ts";
import { leaveField, looksSelected, pickRow, typeOther } from "../../../../core/form/point.ts";
import type { Option, Question } from "../../../../core/ask/question.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { InlineMarkdown } from "../text/markdown-view.tsx";

type Props = {
  form: FormState;
  set: (state: FormState) => void;
  question: Question;
  entry: FormEntry;
  row: number;
  /** The key that chooses it. */
  digit: number;
};

/** `isProposed`: the autopilot would choose it. */
type OptionProps = Props & { option: Option; isProposed: boolean };

export function OptionRow({ form, set, question, entry, option, row, digit, isProposed }: OptionProps) {
  const label = safeLine(option.label, { max: 200 });
  const isSaid = /\(recommended\)\s*$/i.test(label);
  return (
    <label
      class="option"
      data-marked={form.phase === "answering" && form.row === row}
      data-stakes={option.stakes}
      data-effect={option.effect}
    >
      <input
        type={question.multiSelect ? "checkbox" : "radio"}
        name="option"
        checked={looksSelected(form, question, entry, row)}
        onChange={() => set(pickRow(form, row))}
      />
      <span class="words">
        <strong>{label}</strong>
        {option.recommended && !isSaid && <span class="tag">Recommended</span>}
        {isProposed && <span class="tag proposed">Proposed</span>}
        {option.stakes === "high" && <span class="tag danger">High stakes</span>}
        {aboutOption(option).trim() !== "" && (
          <span class="description">
            <InlineMarkdown text={option.description} />
          </span>
        )}
      </span>
      <kbd>{digit}</kbd>
    </label>
  );
}

type OtherProps = Props & { confirm: () => void; isFeedback: boolean };

/** `isFeedback`: an agent that stopped is told how to go on, which may take more than a line. */
export function OtherRow({ form, set, question, entry, row, digit, confirm, isFeedback }: OtherProps) {
  const field = {
    name: "other",
    maxLength: 10_000,
    value: entry.text,
    onFocus: () => form.phase !== "field" && set(updateForm(form, { kind: "openField" })),
    onBlur: () => set(leaveField(form)),
    onInput: (event: { currentTarget: { value: string } }) => set(typeOther(form, event.currentTarget.value)),
    onKeyDown(event: KeyboardEvent) {
      if (event.key === "Escape") return (event.preventDefault(), (event.currentTarget as HTMLElement).blur());
      if (event.key !== "Enter" || event.isComposing || (isFeedback && event.shiftKey)) return;
      event.preventDefault();
      event.stopPropagation();
      confirm();
    },
  };
  const title = isFeedback ? "Provide Feedback" : "Other";
  return (
    <div class="option other" data-marked={form.phase === "answering" && form.row === row} data-feedback={isFeedback}>
      <input
        type={question.multiSelect ? "checkbox" : "radio"}
        name="option"
        aria-label={isFeedback ? "Own words" : title}
        checked={looksSelected(form, question, entry, row)}
        onChange={() => set(pickRow(form, row))}
      />
      <label class="words">
        <strong>{title}</strong>
        {isFeedback ? (
          <textarea {...field} rows={3} placeholder="Type your response..." />
        ) : (
          <input
            {...field}
            type="text"
            aria-label="Your own answer"
            placeholder="Type your own answer"
            autocomplete="off"
          />
        )}
      </label>
      <kbd>{digit}</kbd>
    </div>
  );
}
