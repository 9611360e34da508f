import type { Ask, Delivery } from "../ask/ask.ts";
import type { AskEvent } from "../ask/event.ts";
import type { Actor, Outcome } from "../ask/outcome.ts";
import type { Received } from "./received.ts";
import { decisionToSend } from "./send.ts";
import { terminalSays } from "./terminal-actor.ts";

/** What became of a tool call that somebody had to allow: a permission prompt or a plan. */
export function judgeTool(
  ask: Ask,
  delivery: Delivery,
  received: Received,
  at: number,
  isSeen = true,
): AskEvent | undefined {
  const { key } = delivery;
  const refused = ask.outcome?.changed && received.type === "denied";
  if (refused) return { type: "ask.mismatched", key, detail: `it refused the changed call: ${received.text}` };
  const seen = observed(ask, received, at, terminalSays(ask, isSeen));
  if (!seen) return undefined;
  if (!ask.outcome) return { type: "ask.ended", key, outcome: seen };
  if (isOurs(ask, ask.outcome, received, delivery)) return proof(ask, ask.outcome, key, received);
  if (ask.origin.sandbox)
    return { type: "ask.mismatched", key, detail: `the agent's record says: ${summary(received)}` };
  return { type: "ask.ended", key, outcome: { ...seen, type: "overtaken", reason: seen.type, lost: ask.outcome } };
}

/** Undefined: the record does not say; an answer kept for a resumed session is still owed. */
function observed(ask: Ask, received: Received, at: number, terminal: Actor): Outcome | undefined {
  switch (received.type) {
    case "ran": {
      if (wasDenied(received))
        return { type: "declined", actor: { type: "rule", surface: "agent", name: "another hook" }, at };
      const pick = received.pick ?? ask.questions[0]?.options.findIndex(({ effect }) => effect === "allow") ?? -1;
      return { type: "answered-elsewhere", actor: terminal, at, answers: [{ picks: pick < 0 ? [] : [pick] }] };
    }
    case "refused":
      return { type: "declined", actor: terminal, at };
    case "interrupted":
      return ask.outcome
        ? undefined
        : { type: "withdrawn", actor: { type: "system", surface: "agent" }, at, reason: "agent-exited" };
    // Only of an agent that tells a refusal apart from a call that failed.
    case "denied":
      return { type: "declined", actor: terminal, at, reason: received.text };
    case "answers":
    case "timed-out":
    case "lost":
      return undefined;
  }
}

/** A note counts when the record holds it; of a result that came without its text nothing is known yet. */
function proof(ask: Ask, outcome: Outcome, key: string, received: Received): AskEvent | undefined {
  const sent = decisionToSend(ask, outcome);
  if (sent.allow && sent.note !== undefined && !received.text.includes(sent.note)) {
    if (received.text === "") return undefined;
    return { type: "ask.mismatched", key, detail: `sent note ${JSON.stringify(sent.note)}, received no note` };
  }
  return { type: "ask.verified", key, detail: summary(received) };
}

function isOurs(ask: Ask, outcome: Outcome, received: Received, { channel }: Delivery): boolean {
  const sent = decisionToSend(ask, outcome);
  // In the dialog itself no is a row, which the record tells as it tells Esc; words follow as a message.
  if (!sent.allow && channel === "keys" && received.type === "refused" && received.by === "escape") return true;
  if (sent.allow)
    return (
      received.type === "ran" &&
      received.decidedBy !== "person" &&
      !wasDenied(received) &&
      (received.pick ?? sent.pick) === sent.pick
    );
  if (sent.interrupt) return received.type === "refused" && received.by === "escape";
  if (received.type === "denied" && received.isWordless) return true;
  const isRefusal = received.type === "denied" || (received.type === "ran" && received.isError);
  return isRefusal && received.text.includes(sent.message);
}

/** Somebody else's hook said no: an error in words, not the tool's own. */
const wasDenied = (received: Received & { type: "ran" }) => received.isError && received.decidedBy === "hook";

const summary = ({ text }: Received) => text.slice(0, 500);
