import { shortId } from "../../../core/id.ts";
import { ParleyError } from "../../../core/error.ts";
import { editRefusal } from "../../../core/words/edit-words.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Desk } from "./inbox-actions.ts";
import type { Model } from "../model.ts";
import { createPrompt, type Prompt } from "../prompt.ts";

type Deps = {
  model: Model;
  desk: Desk;
  theme: Theme;
  type: (prompt: Prompt | undefined) => void;
  edit: Edit;
};
/** In the person's editor, which has the terminal meanwhile. Throws where there is none, or where it fails. */
export type Edit = (editable: NonNullable<AskView["editable"]>) => string;

/** A command changed on one line and allowed so; what has more lines, and a file, is changed in an editor. */
export function createChanging({ model, desk, theme, type, edit }: Deps) {
  return function change(selected: AskView): void {
    const { editable, questions, agentTitle, id } = selected;
    const refusal = editRefusal(selected, agentTitle);
    if (refusal !== undefined || !editable) return model.say(`✗ ${refusal ?? ""}`, "error");
    const pick = questions[0]?.options.findIndex(({ effect }) => effect === "allow") ?? -1;
    const done = (changed: string) => {
      type(undefined);
      void desk.settle(selected, { action: "answer", answers: [{ picks: [pick] }], changed });
    };
    if (editable.text.includes("\n") || editable.what !== "command") {
      try {
        const changed = edit(editable);
        return changed === editable.text ? model.say("Nothing was changed, so nothing was sent.") : done(changed);
      } catch (error) {
        const why = error instanceof ParleyError ? error.message : String(error);
        return model.say(`✗ ${why}; or outside: parley answer ${shortId(id)} --edit`, "error");
      }
    }
    const hint = "Enter: allow it so, Esc: back";
    type(createPrompt(theme, { label: "Command:", hint, value: editable.text, done, cancel: () => type(undefined) }));
  };
}
