import type { Ask } from "../../core/ask/ask.ts";
import { isSnoozed } from "../../core/ask/ask-state.ts";
import { isForTerminal } from "../../core/ask/channel.ts";
import { safeLine } from "../../core/text/text.ts";
import { TERMINAL_ONLY } from "../../core/words/ask-words.ts";
import { outcomeWords } from "../../core/words/outcome/outcome-words.ts";
import { describeOutcome } from "../../core/words/outcome/sentence.ts";
import type { Send } from "../../store/ledger.ts";
import type { Ending } from "../messenger.ts";

/** Rows of the ledger that are about a question, and not about what became of one, or of a day. */
export const isOfAsk = ({ ask }: Pick<Send, "ask">): boolean => !ask.includes(" ");

/**
 * What is to be done about a notification, as its Ask is now. One that was snoozed leaves the ledger, so that it is
 * announced anew when its time has come.
 */
export function stepFor(
  { state, ref }: Send,
  ask: Ask | undefined,
  now: number,
): "send" | "take back" | "wait" | "drop" {
  const isOpen = ask !== undefined && !ask.outcome && !isSnoozed(ask, now);
  switch (state) {
    case "due":
      if (isOpen) return "send";
      // Some of it may be out.
      return Object.keys(ref).length > 0 ? "take back" : "drop";
    case "sent":
      return isOpen ? "wait" : "take back";
    case "leaving":
      return "take back";
    case "failed":
      if (isOpen) return "wait";
      return Object.keys(ref).length > 0 ? "take back" : "drop";
  }
}

/** Its agent's own dialog has opened since: nothing pressed in the message can answer it, where a message can be changed. */
export const isStale = ({ state, plan }: Send, ask: Ask, canChange = false): boolean =>
  canChange && state === "sent" && plan.terminal === undefined && isForTerminal(ask);

/** What such a message says until the Ask has ended. */
export const staleEnding = (ask: string, at: number): Ending => ({
  ask,
  type: "terminal",
  words: TERMINAL_ONLY,
  plain: TERMINAL_ONLY,
  at,
});

export function endingOf(id: string, ask: Ask | undefined, now: number): Ending {
  const without = (type: string, words: string) => ({ ask: id, type, words, plain: words, at: now });
  if (ask && isSnoozed(ask, now)) return without("snoozed", "Snoozed");
  if (!ask?.outcome) return without("gone", "The question is gone");
  const plain = safeLine(outcomeWords(ask.outcome, ask.questions), { max: 400 });
  return { ask: id, type: ask.outcome.type, words: describeOutcome(ask, now), plain, at: ask.outcome.at };
}
