import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { answersToSend, refusalToSend } from "../../core/receipt/send.ts";

/** `say`: told to the agent besides, in the same turn. `stop`: the turn ends. */
export type Reply = { pick: number; say?: string } | { text: string; say?: string } | Closed;
type Closed = { none: true; say?: string; stop?: true };

/** What ends an open dialog with this outcome. Undefined: it cannot be told this. */
export function reply(ask: Ask, outcome: Outcome): Reply | undefined {
  if (outcome.type === "cancelled" && outcome.message === undefined) return { none: true, stop: true };
  if (outcome.type !== "answered") return { none: true, say: refusalToSend(outcome) };
  const [question] = ask.questions;
  const [answer] = answersToSend(outcome);
  if (!question || !answer) return undefined;
  const say = answer.note ? { say: answer.note } : {};
  if (question.options.length === 0) return answer.text === undefined ? undefined : { text: answer.text, ...say };
  const [pick, ...others] = answer.picks;
  const isOne = pick !== undefined && others.length === 0 && answer.text === undefined;
  return isOne ? { pick, ...say } : undefined;
}
