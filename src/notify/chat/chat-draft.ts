import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";

/** What a person has chosen so far; `seen`: what of theirs is in it already. */
export type ChatDraft = { answers: (Answer | null)[]; ticks: number[][]; note?: string; seen: string[] };

export const newDraft = ({ questions }: Pick<Ask, "questions">): ChatDraft => ({
  answers: questions.map(() => null),
  ticks: questions.map(() => []),
  seen: [],
});

export const orNothing = (answer: Answer | null | undefined): Answer => answer ?? { picks: [] };

/** The first question without an answer; as many as there are: all have one. */
export function current({ answers }: ChatDraft): number {
  const at = answers.indexOf(null);
  return at < 0 ? answers.length : at;
}

/** What a field takes when it is passed over: what its asker filled in, or nothing where it may be empty. */
export function passedOver({ questions, prefill }: Pick<Ask, "questions" | "prefill">, at: number): Answer | undefined {
  const field = questions[at]?.field;
  if (!field) return undefined;
  const { picks = [], text } = prefill?.[at] ?? {};
  if (picks.length > 0 || text !== undefined) return { picks, ...(text !== undefined && { text }) };
  return field.optional ? { picks: [] } : undefined;
}
