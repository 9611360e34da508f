import type { Answer } from "./answer.ts";
import type { Ask } from "../ask.ts";
import { isRecommended, type Question } from "../question.ts";

export type Recommended = { answers: Answer[] } | { reason: string };

/** What its asker recommends, as answers; or why there is no such answer. Contract: permissions are never among it. */
export function recommendedAnswers({ kind, questions }: Pick<Ask, "kind" | "questions">): Recommended {
  if (kind !== "question") return { reason: `${kind}: not answered this way` };
  if (questions.length === 0) return { reason: "no question" };
  const picks = questions.map(recommendedPicks);
  if (picks.some((found) => found.length === 0)) return { reason: "no recommended option" };
  if (picks.some((found, i) => found.length > 1 && !questions[i]?.multiSelect))
    return { reason: "several recommended options" };
  return { answers: picks.map((found) => ({ picks: found })) };
}

function recommendedPicks({ options }: Question): number[] {
  return options.flatMap(({ label, recommended }, i) => (isRecommended(label, recommended) ? [i] : []));
}
