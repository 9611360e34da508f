import type { Question } from "../../core/ask/question.ts";
import { decodeChoice } from "../../core/receipt/compare.ts";
import type { Received } from "../../core/receipt/received.ts";
import { type Ended, YES_NO } from "./payload.ts";

/** What a dialog gave back to the extension that asked. `result`: what came of the call, as the model reads it. */
export function receivedIn(
  { by, value, said, stop }: Ended,
  [question]: readonly Question[],
  result?: string,
): Received {
  const text = result ?? said ?? (value === undefined ? "closed without an answer" : wordsOf(value));
  if (value !== undefined) {
    const choice = question ? decodeChoice(question, wordsOf(value)) : { labels: [], text: wordsOf(value) };
    const noted = { ...choice, ...(said !== undefined && { note: said }) };
    return { type: "answers", choices: [noted], text };
  }
  if (by === "timeout") return { type: "timed-out", text };
  if (by === "aborted") return { type: "interrupted", text };
  if (said !== undefined && !stop) return { type: "denied", text: said, by: "Parley" };
  return { type: "refused", by: "escape", text };
}

const wordsOf = (value: string | boolean): string => (typeof value === "string" ? value : YES_NO[value ? 0 : 1]);
