import type { Ask } from "../../ask/ask.ts";
import type { Outcome } from "../../ask/outcome.ts";
import type { Question } from "../../ask/question.ts";
import { isCall } from "../../form/rows.ts";
import { safeLine } from "../../text/text.ts";

/** `task`: then to end it is another thing than to deny what it asked for. */
type Asked = { questions: readonly Question[]; origin?: Pick<Ask["origin"], "task"> };
type Denial = { verb: "denied" | "denied and stopped"; words: string };

/** A call that somebody did not allow, whichever way they said so; undefined: it was allowed, or is no such Ask. */
export function denialOf({ questions: [first], origin }: Asked, outcome: Outcome): Denial | undefined {
  if (!first || !isCall(first)) return undefined;
  const type = outcome.type === "overtaken" ? outcome.reason : outcome.type;
  const [answer] = outcome.answers ?? [];
  const words = safeLine(answer?.note ?? answer?.text ?? outcome.message ?? "", { max: 120 });
  if (type === "cancelled") return origin && !origin.task ? { verb: "denied and stopped", words } : undefined;
  if (type === "declined") return { verb: "denied", words };
  if (!answer || (type !== "answered" && type !== "answered-elsewhere")) return undefined;
  const effect = first.options[answer.picks[0] ?? -1]?.effect;
  if (effect === "cancel") return { verb: "denied and stopped", words };
  return effect === "deny" || answer.text !== undefined ? { verb: "denied", words } : undefined;
}

/** `denied: "use /tmp"`. What does not reach the agent with a refusal is not said to have been received. */
export function denialWords(ask: Asked, outcome: Outcome): string | undefined {
  const found = denialOf(ask, outcome);
  if (!found || found.words === "") return found?.verb;
  const isTold = !ask.questions[0]?.options.some(({ takesNote }) => takesNote === false);
  return isTold ? `${found.verb}: "${found.words}"` : `${found.verb} (not told to the agent: "${found.words}")`;
}
