import { isParleys } from "../../../core/ask/ask-state.ts";
import { isForTerminal } from "../../../core/ask/channel.ts";
import { PARLEY_ASKS } from "../../../core/words/ask-words.ts";
import {
  NO_WORDS,
  TASK_NOT_DECLINED,
  declineWords,
  isEscalation,
  stopWords,
  takesWords,
} from "../../../core/words/outcome/refusal-words.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { AskView } from "../../../protocol/view.ts";
import { type Box, createConfirmation } from "../draw/box.ts";
import type { Settling } from "./settling.ts";
import type { Model } from "../model.ts";
import { createPrompt, type Prompt } from "../prompt.ts";
import { nameOf } from "../draw/status-line.ts";

type Deps = {
  model: Model;
  desk: Settling;
  theme: Theme;
  show: (box: Box) => void;
  close: () => void;
  type: (prompt: Prompt | undefined) => void;
};

/** The ways to end a question without an answer. None is one key alone. */
export function createRefusing({ model, desk, theme, show, close, type }: Deps) {
  /** Words that were typed and not sent: they stand there again the next time. */
  const unsent = new Map<string, string>();

  function tell(selected: AskView, action: "decline" | "chat", label: string, hint: string): void {
    const { id } = selected;
    const changed = (text: string) => void unsent.set(id, text);
    type(
      createPrompt(theme, {
        label,
        hint,
        value: unsent.get(id) ?? "",
        changed,
        done: (text) => void send(text.trim()),
        cancel: () => type(undefined),
      }),
    );

    async function send(message: string): Promise<void> {
      type(undefined);
      const settled = await desk.settle(selected, { action, ...(message !== "" && { message }) });
      if (settled) unsent.delete(id);
    }
  }

  const refused = (selected: AskView): void =>
    isEscalation(selected) ? model.say(`✗ ${TASK_NOT_DECLINED}`, "error") : model.say(PARLEY_ASKS);

  return {
    decline(selected: AskView): void {
      const words = declineWords(selected);
      if (!words) return refused(selected);
      // Of what only a terminal can answer nobody is told.
      if (isForTerminal(selected)) return void desk.settle(selected, { action: "decline" });
      if (!takesWords(selected)) {
        const confirm = () => void desk.settle(selected, { action: "decline" });
        const lines = [nameOf(selected)];
        return show(createConfirmation(theme, { title: "Decline this?", lines, confirm, close, now: model.awake }));
      }
      tell(selected, "decline", words.reason, `Enter: ${words.name.toLowerCase()}, Esc: back`);
    },
    chat(selected: AskView): void {
      if (isParleys(selected)) return refused(selected);
      if (!takesWords(selected)) return model.say(`✗ ${NO_WORDS}`, "error");
      tell(selected, "chat", "Say first:", "Enter: send, Esc: back");
    },
    stop(selected: AskView): void {
      const words = stopWords(selected);
      if (!words) return model.say(`✗ ${nameOf(selected)}: nothing can be stopped from here`, "error");
      const confirm = () => void desk.settle(selected, { action: "cancel" });
      show(
        createConfirmation(theme, { title: words.sure, lines: [nameOf(selected)], confirm, close, now: model.awake }),
      );
    },
  };
}
