import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import { answersToSend, decisionToSend, keptMark, refusalToSend } from "../../core/receipt/send.ts";

/**
 * What a resumed session is told about asks whose outcome it has not heard; the marks are found in its record. `spent`: the
 * one call that was allowed may have been made already.
 */
export function answerText(asks: readonly Ask[], spent: ReadonlySet<string> = new Set()): string {
  const texts = asks.map((ask) => (spent.has(ask.id) ? spentText(ask) : textOf(ask)));
  return [...texts, asks.map(keptMark).join(" ")].join("\n\n");
}

const MISHEARD = "What you went by as the answer to this is not what was answered. This is; go by it from here on.";

const spentText = ({ questions: [question] }: Ask) =>
  `This call was allowed once, and may have been made before you were ended. Look what came of it before you make it again.\n${question?.header ?? ""}: ${question?.body ?? ""}`;

function textOf(ask: Ask): string {
  const { kind, questions, outcome, state } = ask;
  if (!outcome) return "";
  if (kind === "approval" || kind === "plan") return decisionText(ask);
  if (outcome.type !== "answered")
    return `${questions.map(({ text }) => `"${text}"`).join(" / ")}: ${refusalToSend(outcome)}`;
  const answers = answersToSend(outcome);
  const texts = questions.map((question, i) => questionText(question, answers[i] ?? { picks: [] }));
  return [...(state === "mismatched" ? [MISHEARD] : []), ...texts].join("\n\n");
}

function questionText({ text, options }: Question, { picks, text: own, note }: Answer): string {
  const lines = options.flatMap((option, i) =>
    option.effect === "cancel" ? [] : [`  ${picks.includes(i) ? "✓" : "–"} ${inWords(option)}`],
  );
  return [
    `Answer to "${text}":`,
    ...lines,
    ...(own === undefined ? [] : [own]),
    ...(note === undefined ? [] : [`Note: ${note}`]),
  ].join("\n");
}

const inWords = ({ label, description }: Option) => (description === "" ? label : `${label} — ${description}`);

function decisionText(ask: Ask): string {
  const { kind, questions, outcome } = ask;
  if (!outcome) return "";
  const decision = decisionToSend(ask, outcome);
  const about = kind === "plan" ? "" : `\n${questions[0]?.header ?? ""}: ${questions[0]?.body ?? ""}`;
  if (!decision.allow) return `${decision.message}${about}`;
  const note = decision.note === undefined ? "" : `\nNote from the user: ${decision.note}`;
  if (kind === "plan")
    return `Your plan is accepted. Hand it in again exactly as it was; this once it goes through.${note}`;
  return `This call is allowed now. Make it again exactly as it was; this once it goes through.${about}`;
}
