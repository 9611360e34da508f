import type { OpenEnd } from "../dialog/open-dialog.ts";
import type { LosslessAnswer } from "./answer.ts";
import { collect, type DialogQuestions, drafted, type ShowDialog } from "./dialog-ref.ts";
import { aborted } from "./error.ts";
import { type Inbox, isAway, type Settlement } from "./inbox.ts";
import { collectOutcome } from "./outcome.ts";

type Contest = DialogQuestions & {
  id: string;
  inbox: Inbox;
  show: ShowDialog;
  told: (sentence: string) => void;
  signal: AbortSignal;
};

/** The same questions here and in the inbox. The inbox says who was first; the dialog alone decides only without it. */
export async function race({ id, inbox, show, told, signal, ...asked }: Contest): Promise<LosslessAnswer[]> {
  const over = new AbortController();
  const closing = AbortSignal.any([signal, over.signal]);
  const dialog = show({ ...asked, signal: closing });
  const inboxSays = inbox.outcome(id, closing);
  const dialogSays = dialog.then(async (end) => (await settleUnlessAway(inbox, id, end)) ?? (await inboxSays));
  try {
    const first = await Promise.race([inboxSays, dialogSays]);
    over.abort();
    const end = await dialog;
    if (!("outcome" in first)) return collect(asked.questions, first);
    if (end.type === "aborted") told(first.sentence);
    return collectOutcome(
      asked.questions,
      first.outcome,
      end.type === "submitted" ? [] : drafted(asked.questions, end.draft),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    const end = await dialog;
    throw aborted(end.type === "submitted" ? [] : drafted(asked.questions, end.draft));
  } finally {
    over.abort();
    for (const loser of [inboxSays, dialogSays]) loser.catch(() => undefined);
  }
}

/** What was decided here and nobody could be told; undefined when the inbox knows, or nothing was decided. */
async function settleUnlessAway(inbox: Inbox, id: string, end: OpenEnd): Promise<OpenEnd | undefined> {
  if (end.type === "aborted") return undefined;
  const settlement: Settlement =
    end.type === "submitted" ? { action: "answer", answers: end.answers } : { action: "cancel" };
  try {
    await inbox.settle(id, settlement);
    return undefined;
  } catch (error) {
    if (!isAway(error)) throw error;
    void inbox.settleLater(id, settlement).catch(() => undefined);
    return end;
  }
}
