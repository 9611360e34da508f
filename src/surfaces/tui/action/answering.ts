import { isForTerminal } from "../../../core/ask/channel.ts";
import type { Answer } from "../../../core/ask/answer/answer.ts";
import type { FormDraft } from "../../../core/form/form.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { AskView } from "../../../protocol/view.ts";
import { TERMINAL_ONLY } from "../../../core/words/ask-words.ts";
import type { AskDialog } from "../ask-dialog.ts";
import type { Size } from "../draw/box.ts";
import type { Desk } from "./inbox-actions.ts";
import { type Drafts, isBlank } from "./drafts.ts";
import type { Model } from "../model.ts";

type Deps = {
  model: Model;
  desk: Desk;
  drafts: Drafts;
  theme: Theme;
  size: () => Size;
  repaint: () => void;
  show: (dialog: AskDialog) => void;
  close: () => void;
  /** Leave for a while instead of an answer. */
  grant: (ask: AskView) => void;
  /** The call is changed before it is allowed. */
  change: (ask: AskView) => void;
};

/** `given`: what was filled in and refused; `choose`: a row that opens as chosen. */
type Opening = { given?: FormDraft; choose?: number };

/** The way of one Ask through its dialog. Contract: what was filled in is kept until it was sent. */
export function createAnswering({ model, desk, drafts, theme, size, repaint, show, close, grant, change }: Deps) {
  let dialog: AskDialog | undefined;
  let isOpening = false;

  async function open(ask: AskView, { given, choose }: Opening = {}): Promise<void> {
    if (ask.outcome) return;
    if (isForTerminal(ask)) return model.say(`${TERMINAL_ONLY}${ask.origin.pane ? " t goes there." : ""}`);
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
      concludeIfSettled(model.asks.get(ask.id));
    } catch (error) {
      model.say(`✗ ${error instanceof Error ? error.message : String(error)}`, "error");
    } finally {
      isOpening = false;
      repaint();
    }

    function leaveBy(key: string, filled: FormDraft): void {
      left(filled);
      if (key === "e") change(model.asks.get(ask.id) ?? ask);
      else grant(ask);
    }
    function onDraft(filled: FormDraft): void {
      drafts.keep(ask.id, filled);
    }
    function left(filled: FormDraft): void {
      drafts.keep(ask.id, filled);
      void drafts.save();
      if (model.asks.get(ask.id)?.outcome) model.said = { type: "late", id: ask.id };
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

  /** What was refused comes back as it was typed. */
  async function send(ask: AskView, answers: Answer[], filled: FormDraft): Promise<void> {
    const settled = await desk.settle(ask, { action: "answer", answers });
    if (!settled && !model.asks.get(ask.id)?.outcome) await open(ask, { given: filled });
  }

  function end(): void {
    dialog = undefined;
    close();
  }

  /** True: its dialog is open and says now who was first. */
  function concludeIfSettled(ask: AskView | undefined): boolean {
    if (!ask?.outcome || dialog?.id !== ask.id) return false;
    dialog.conclude(ask);
    return true;
  }

  return { open, concludeIfSettled, isOpening: () => isOpening };
}
