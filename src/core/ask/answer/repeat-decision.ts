import type { Ask } from "../ask.ts";
import { allowsTheSame } from "../before-effects.ts";
import type { Outcome } from "../outcome.ts";
import type { Question } from "../question.ts";

/** A call that was allowed before is made again: the same person's decision, on the options it has now. */
export function repeatDecision(before: Ask, asked: readonly Question[], at: number): Outcome | undefined {
  const { outcome, questions } = before;
  const picked = questions[0]?.options[outcome?.answers?.[0]?.picks[0] ?? -1];
  const options = asked[0]?.options ?? [];
  const allowed = options.map(({ effect }, i) => (effect === "allow" ? i : -1)).filter((i) => i >= 0);
  // What it suggests beside this one call may differ by now; once is always offered, and first.
  const pick = allowed.find((i) => allowsTheSame(picked, options[i])) ?? allowed[0];
  if (!outcome || pick === undefined) return undefined;
  return {
    type: "answered",
    actor: outcome.actor,
    at,
    answers: [{ picks: [pick] }],
    ...(outcome.changed && { changed: outcome.changed }),
    reason: `allowed before (${before.id})`,
  };
}
