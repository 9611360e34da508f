import type { Ask } from "../../ask/ask.ts";
import { isParleys } from "../../ask/ask-state.ts";
import { factsOf } from "../../ask/channel.ts";
import { isCall, isCancel } from "../../form/rows.ts";
import { safeLine } from "../../text/text.ts";

// Free of the schema library: the page says this too.

type Asked = Pick<Ask, "kind" | "questions" | "origin" | "deliveries">;
/** `name`: on a button. `reason`: before the words that go along. */
type Decline = { name: "Deny" | "Decline"; reason: string };
/** `sure`: what is asked before everything ends. */
type Stop = { name: string; sure: string };

export const TASK_NOT_DECLINED = "A task that waits for you cannot be declined: answer it, or cancel the task";

/** A server takes the values it asks for, and nothing beside them. */
export const NO_WORDS = "Only values reach whoever asks this: a note or a message would be lost";
export const takesWords = ({ questions }: Pick<Ask, "questions">): boolean => !questions.some(({ field }) => field);

/** Not the agent asks, but Parley for it: it stopped, and somebody has to say how it goes on. */
export const isEscalation = ({ kind, origin }: Pick<Ask, "kind" | "origin">): boolean =>
  origin.task !== undefined && !["question", "approval", "plan", "elicitation"].includes(kind);

/** To leave it unanswered, the agent goes on with that; undefined: there is nobody who could. */
export function declineWords(ask: Asked): Decline | undefined {
  if (isParleys(ask)) return undefined;
  const [first] = ask.questions;
  return first && isCall(first)
    ? { name: "Deny", reason: "Deny, because:" }
    : { name: "Decline", reason: "Decline, because:" };
}

/** To end more than the question; undefined: nothing can be ended from here. */
export function stopWords({ questions, origin, deliveries }: Asked): Stop | undefined {
  const option = questions.flatMap(({ options }) => options).find(isCancel);
  if (origin.task !== undefined) return option && { name: "Cancel the task", sure: "Cancel the task?" };
  if (option)
    return { name: safeLine(option.label, { max: 60 }), sure: `${safeLine(option.description, { max: 200 })}?` };
  const isReached = ({ channel }: { channel?: string | undefined }) =>
    channel !== "self" && channel !== "keys" && factsOf(channel)?.answerable !== false;
  if (!deliveries.some(isReached)) return undefined;
  if (origin.session === undefined) return { name: "Cancel the question", sure: "Cancel the question?" };
  if (!takesWords({ questions })) return { name: "Cancel the form", sure: "Cancel the form, as Esc does?" };
  return { name: "Stop the agent", sure: "Stop the agent, as Esc does?" };
}
