import type { Ask, Delivery } from "../ask/ask.ts";
import type { AskEvent } from "../ask/event.ts";
import { asksSecret } from "../ask/answer/field.ts";
import type { Outcome } from "../ask/outcome.ts";
import type { Received } from "./received.ts";
import { TERMINAL } from "./terminal-actor.ts";

/**
 * What a server was told stands in no record of its client's. That the call which asked has gone on after our answer was
 * taken is the receipt; a call that failed over it is none.
 */
export function judgeElicitation(
  ask: Ask,
  lost: Outcome,
  { key, state }: Delivery,
  received: Received,
  at: number,
): AskEvent | undefined {
  // A server may repeat in its result what it was told.
  const text = asksSecret(ask) ? "" : received.text.slice(0, 500);
  const hasFailed = received.type !== "ran" || (received.isError && SCHEMA.test(received.text));
  if (state === "sent" && !hasFailed)
    return { type: "ask.verified", key, detail: text === "" ? "the call that asked went on" : text };
  if (state === "sent" && received.type === "ran")
    return { type: "ask.mismatched", key, detail: `the server did not take it${text && `: ${text}`}` };
  const outcome: Outcome = { type: "overtaken", actor: TERMINAL, at, reason: "declined", lost };
  return { type: "ask.ended", key, outcome };
}

const SCHEMA = /-32602|does not match requested schema|elicitation/i;
