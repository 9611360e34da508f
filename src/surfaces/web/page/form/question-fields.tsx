import { useState } from "preact/hooks";
import { here } from "../../../../core/form/state.ts";
import { type FormState, updateForm } from "../../../../core/form/form.ts";
import { rowOrder } from "../../../../core/form/rows.ts";
import { proposalFor } from "../../../../core/words/pilot-line.ts";
import { noteRefusal } from "../../../../core/words/note-words.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import type { Field, Question } from "../../../../core/ask/question.ts";
import { fieldWords } from "../../../../core/words/field-words.ts";
import { capitalised, safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { errorText, takesFeedback } from "./form-steps.ts";
import { OptionRow, OtherRow } from "./option-row.tsx";
import { Previews } from "./previews.tsx";
import { QuestionText } from "./question-text.tsx";

type Props = { ask: AskView; form: FormState; set: (state: FormState) => void; confirm: () => void };

export function QuestionFields({ ask, form, set, confirm }: Props) {
  const { question, entry } = here(form);
  if (!question || !entry) return null;
  const error = form.errors[form.current];
  const hasOptions = question.options.length > 0;
  const order = rowOrder(question);
  const proposed = proposalFor(ask)?.answers?.[form.current]?.picks ?? [];
  const lost = noteRefusal(question.options[entry.picks[0] ?? -1], question);
  const hint = question.field ? fieldWords(question.field) : "";
  const isAbout = { "aria-describedby": error === undefined ? undefined : "form-error" };
  return (
    <fieldset class="fields" {...isAbout}>
      <legend>
        <QuestionText question={question} kind={ask.kind} />
      </legend>
      {hint !== "" && (
        <p class="hint" id="field-hint">
          {capitalised(hint)}
        </p>
      )}
      {hasOptions ? (
        <div
          class="options"
          role={question.multiSelect ? "group" : "radiogroup"}
          aria-label={safeLine(question.text, { max: 300 })}
        >
          {order.map((row, place) => {
            const props = { form, set, question, entry, row, digit: place + 1 };
            const option = question.options[row];
            return option ? (
              <OptionRow key={row} {...props} option={option} isProposed={proposed.includes(row)} />
            ) : (
              <OtherRow key={row} {...props} confirm={confirm} isFeedback={takesFeedback(ask, question)} />
            );
          })}
        </div>
      ) : question.field ? (
        <TypedField question={question} field={question.field} form={form} set={set} text={entry.text} />
      ) : (
        <label class="feedback">
          Provide Feedback
          <textarea
            name="other"
            rows={5}
            maxLength={10_000}
            placeholder="Type your response..."
            value={entry.text}
            onInput={(event) => set(updateForm(form, { kind: "type", text: event.currentTarget.value }))}
            onKeyDown={(event) => event.key === "Escape" && (event.preventDefault(), event.currentTarget.blur())}
          />
        </label>
      )}
      {error !== undefined && (
        <p class="error" id="form-error" role="alert">
          {errorText(error)}
        </p>
      )}
      <Previews ask={ask} form={form} set={set} />
      {lost !== undefined && !question.field && <p class="hint">{lost}</p>}
      {hasOptions && (lost === undefined || entry.note !== "") && <Note form={form} set={set} note={entry.note} />}
    </fieldset>
  );
}

type TypedProps = { question: Question; field: Field; form: FormState; set: (state: FormState) => void; text: string };

/** Its value is checked as it is on every other surface; the browser's own checks would say it otherwise. */
function TypedField({ question, field, form, set, text }: TypedProps) {
  const isNumber = field.type === "number" || field.type === "integer";
  return (
    <label class="feedback">
      {safeLine(headerOf(question), { max: 60 })}
      <input
        name="other"
        type={field.secret ? "password" : "text"}
        inputMode={isNumber ? "decimal" : field.format === "email" ? "email" : undefined}
        autocomplete={field.secret ? "new-password" : "off"}
        aria-describedby="field-hint"
        maxLength={10_000}
        value={text}
        onInput={(event) => set(updateForm(form, { kind: "type", text: event.currentTarget.value }))}
        onKeyDown={(event) => event.key === "Escape" && (event.preventDefault(), event.currentTarget.blur())}
      />
    </label>
  );
}

function Note({ form, set, note }: { form: FormState; set: (state: FormState) => void; note: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && note === "")
    return (
      <button class="link note-toggle" type="button" onClick={() => setOpen(true)}>
        Add a note
      </button>
    );
  return (
    <label class="note">
      Note
      <textarea
        name="note"
        rows={2}
        maxLength={10_000}
        ref={(box) => {
          if (box && isOpen && note === "") box.focus();
        }}
        value={note}
        onInput={(event) => set(updateForm(form, { kind: "note", text: event.currentTarget.value }))}
        onKeyDown={(event) => event.key === "Escape" && (event.preventDefault(), event.currentTarget.blur())}
      />
    </label>
  );
}
