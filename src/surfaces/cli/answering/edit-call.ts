import { editRefusal } from "../../../core/words/edit-words.ts";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import type { AskView } from "../../../protocol/view.ts";
import { inEditor } from "../../terminal/in-editor.ts";
import type { Context } from "../context.ts";
import { type Settled, settleAsk } from "./settle-ask.ts";
import type { Given } from "./settlement.ts";

type Wanted = Given & { edit?: boolean; change?: string; yes: boolean };

/** Approves a call once, as a person changed it: with `--change`, or in their editor with `--edit`. */
export async function allowChanged(ask: AskView, given: Wanted, { client, terminal }: Context): Promise<Settled> {
  const { choices, message, text, decline, chat, cancel, edit, change, yes } = given;
  const once = ask.questions[0]?.options.findIndex(({ effect }) => effect === "allow") ?? -1;
  const isOther = choices.some(
    (choice) => choice !== String(once + 1) && choice !== ask.questions[0]?.options[once]?.label,
  );
  if (isOther || message.length + text.length > 0 || decline || chat !== undefined || cancel)
    throw new ParleyError("usage", "--edit and --change approve it once: leave the other answer out");
  if (edit && change !== undefined) throw new ParleyError("usage", "Give --edit or --change, not both");
  const refusal = editRefusal(ask, ask.agentTitle);
  if (refusal !== undefined || !ask.editable) throw new ParleyError("invalid", refusal ?? "");
  const changed = change ?? inEditor(ask.editable, terminal.env);
  if (edit && changed === ask.editable.text)
    throw new ParleyError(
      "invalid",
      `Nothing was changed, so nothing was sent. To allow it as it is: parley answer ${shortId(ask.id)} ${once + 1}`,
    );
  const answers = [{ picks: [once] }];
  return settleAsk(ask, { action: "answer", answers, changed, ...(yes && { sure: true }) }, client, terminal);
}
