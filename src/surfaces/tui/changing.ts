import { shortId } from "../../core/id.ts";
import { editRefusal } from "../../core/words/edit-words.ts";
import type { Theme } from "../../dialog/theme.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Desk } from "./inbox-actions.ts";
import type { Model } from "./model.ts";
import { createPrompt, type Prompt } from "./prompt.ts";

type Deps = { model: Model; desk: Desk; theme: Theme; type: (prompt: Prompt | undefined) => void };

/** A command changed on one line and allowed so; what has more lines is changed in an editor. */
export function createChanging({ model, desk, theme, type }: Deps) {
  return function change(selected: AskView): void {
    const { editable, questions, agentTitle, id } = selected;
    const refusal = editRefusal(selected, agentTitle);
    if (refusal !== undefined || !editable) return model.say(`✗ ${refusal ?? ""}`, "error");
    if (editable.text.includes("\n") || editable.what !== "command")
      return model.say(`It has several lines: parley answer ${shortId(id)} --edit`);
    const pick = questions[0]?.options.findIndex(({ effect }) => effect === "allow") ?? -1;
    const done = (changed: string) => {
      type(undefined);
      void desk.settle(selected, { action: "answer", answers: [{ picks: [pick] }], changed });
    };
    const hint = "Enter: allow it so, Esc: back";
    type(createPrompt(theme, { label: "Command:", hint, value: editable.text, done, cancel: () => type(undefined) }));
  };
}
