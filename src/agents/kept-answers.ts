import type { Ask } from "../core/ask/ask.ts";
import { headerOf } from "../core/ask/header.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import { answersToSend, keptMark, refusalToSend } from "../core/receipt/send.ts";
import { describeAnswers } from "../core/words/outcome/describe-answer.ts";

/** Told with SessionStart when a killed session comes back: its agent has no result for the question and does not ask again. */
export function handOver(asks: readonly Ask[], words: readonly string[] = []): unknown {
  const additionalContext = [...(asks.length > 0 ? [keptWords(asks)] : []), ...words].join("\n");
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } };
}

export function keptWords(asks: readonly Ask[]): string {
  const lines = asks.flatMap((ask) => (ask.outcome ? [keptLine(ask, ask.outcome)] : []));
  const kept =
    "Parley kept what was answered to questions you asked before this session was interrupted; your record does not show it:";
  return lines.length > 0 ? [kept, ...lines].join("\n") : "";
}

function keptLine(ask: Ask, outcome: Outcome): string {
  const asked = ask.questions.map((question) => `[${headerOf(question)}] ${question.text}`).join(" / ");
  const said =
    outcome.type === "answered"
      ? `answered: ${describeAnswers(ask.questions, answersToSend(outcome))}`
      : refusalToSend(outcome);
  return `- ${keptMark(ask)} ${asked} → ${said}`;
}
