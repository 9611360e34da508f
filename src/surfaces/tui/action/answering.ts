import { isForTerminal } from "../../../core/ask/channel.ts";
import type { Answer } from "../../../core/ask/answer/answer.ts";
import type { FormDraft } from "../../../core/form/form.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { AskView } from "../../../protocol/view.ts";
import { TERMINAL_ONLY } from "../../../core/words/ask-words.ts";
import type { AskDialog } from "../ask-dialog.ts";
import type { Size } from "../draw/box.ts";
import type { Settling } from "./settling.ts";
import { type Drafts, isBlank } from "./drafts.ts";
import { isOver, notHere } from "../hub/hub-ask.ts";
import { nameOf } from "../draw/status-line.ts";
import type { Model } from "../model.ts";
import type { Beside } from "../beside.ts";

type Deps = {
  model: Model;
  desk: Settling;
  drafts: Drafts;
  theme: Theme;
  size: () => Size;
  repaint: () => void;
  show: (dialog: AskDialog) => void;
  close: () => void;
  /** Something takes the keys. */
  isBusy: () => boolean;
  beside: Beside;
};

/** `given`: what was filled in and refused, `why` in words; `choose`: a row that opens as chosen. */
type Opening = { given?: FormDraft; why?: string | undefined; choose?: number };

/** The way of one Ask through its dialog. Contract: what was filled in is kept until it was sent. */
export function createAnswering({ model, desk, drafts, theme, size, repaint, show, close, isBusy, beside }: Deps) {
  let dialog: AskDialog | undefined;
  let isOpening = false;

  async function open(ask: AskView, { given, why, choose }: Opening = {}): Promise<void> {
    if (isOver(ask)) return;
    if (desk.isUnderway(ask.id)) return model.say("It is being sent …");
    const refusal = notHere(ask);
    if (refusal !== undefined) return model.say(`✗ ${refusal}`, "error");
    if (isForTerminal(ask))
      return model.say(`${TERMINAL_ONLY}${ask.origin.pane && beside.leaveFor ? " t goes there." : ""}`);
    isOpening = true;
    try {
      // The first frame need not wait for its code.
      const { createAskDialog } = await import("../ask-dialog.ts");
      const draft = given ?? (await drafts.load(ask.id));
      const { now, awake } = model;
      const latest = () => model.asks.get(ask.id);
      dialog = createAskDialog({
        ask,
        latest,
        draft,
        why,
        choose,
        theme,
        size,
        now,
        awake,
        repaint,
        onDraft,
        submitted,
        left,
        leaveBy,
      });
      show(dialog);
      beside.looking?.(ask.id);
      concludeIfSettled(model.asks.get(ask.id));
    } catch (error) {
      model.say(`✗ ${error instanceof Error ? error.message : String(error)}`, "error");
    } finally {
      isOpening = false;
      repaint();
    }

    function leaveBy(key: string, filled: FormDraft): void {
      left(filled);
      if (key === "e") beside.leaveFor?.change(model.asks.get(ask.id) ?? ask);
      else beside.leaveFor?.grant(ask);
    }
    function onDraft(filled: FormDraft): void {
      drafts.keep(ask.id, filled);
    }
    function left(filled: FormDraft): void {
      drafts.keep(ask.id, filled);
      void drafts.save();
      if (isOver(model.asks.get(ask.id) ?? ask)) model.said = { type: "late", id: ask.id };
      else if (!isBlank(filled)) model.say("What you entered is kept.");
      end();
    }
    function submitted(answers: Answer[], filled: FormDraft): void {
      drafts.keep(ask.id, filled);
      model.say("sending …");
      end();
      void send(ask, answers, filled);
    }
  }

  /** What was refused comes back as it was typed, unless the person is at something else by now. */
  async function send(ask: AskView, answers: Answer[], filled: FormDraft): Promise<void> {
    const settled = await desk.settle(ask, { action: "answer", answers });
    if (!settled && !isOver(model.asks.get(ask.id) ?? ask)) {
      // A dialog may cover the line that says it.
      const why = model.said?.type === "words" ? model.said.words : undefined;
      if (isBusy() || isOpening) return model.say(`${nameOf(ask)}: ${why}; what you entered is kept`, "error");
      await open(ask, { given: filled, why });
    }
  }

  function end(): void {
    dialog = undefined;
    beside.looking?.(undefined);
    close();
  }

  /** True: its dialog is open and says now who was first. */
  function concludeIfSettled(ask: AskView | undefined): boolean {
    if (!ask || !isOver(ask) || dialog?.id !== ask.id) return false;
    dialog.conclude(ask);
    return true;
  }

  return { open, concludeIfSettled, isOpening: () => isOpening };
}
