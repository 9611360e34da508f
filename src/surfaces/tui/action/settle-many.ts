import { visibleWidth } from "@earendil-works/pi-tui";
import type { Answer } from "../../../core/ask/answer/answer.ts";
import { describeAnswers } from "../../../core/words/outcome/describe-answer.ts";
import { recommendedAnswers } from "../../../core/ask/answer/recommended.ts";
import type { Theme } from "../../../dialog/theme.ts";
import { clipped } from "../../../dialog/wrap.ts";
import type { AskView } from "../../../protocol/view.ts";
import { counted } from "../../../core/words/number.ts";
import { cells } from "../draw/cells.ts";
import { nameOf } from "../draw/status-line.ts";

const LONGEST_ANSWER = 36;

export type Plan = {
  title: string;
  lines: string[];
  answered: { ask: AskView; answers: Answer[] }[];
};

/** What accepting every recommendation would do, in words that a person confirms. */
export function planRecommended(asks: readonly AskView[], theme: Theme): Plan {
  const found = asks.map((ask) => ({ ask, advice: recommendedAnswers(ask) }));
  const answered = found.flatMap(({ ask, advice }) => ("answers" in advice ? [{ ask, answers: advice.answers }] : []));
  const left = found.flatMap(({ ask, advice }) => ("reason" in advice ? [{ ask, reason: advice.reason }] : []));
  const words = answered.map(({ ask, answers }) => clipped(describeAnswers(ask.questions, answers), LONGEST_ANSWER));
  const widest = Math.max(0, ...words.map(visibleWidth));
  // The answer first: it must be in sight however long the question is.
  const lines = answered.map(({ ask }, i) => `${theme.ok(cells(words[i] ?? "", widest))}  ${nameOf(ask)}`);
  const leftOut = left.map(({ ask, reason }) => theme.muted(`${nameOf(ask)} (${reason})`));
  const title =
    answered.length === 0
      ? "None of these has a recommended answer"
      : `Answer ${counted(answered.length, "question")} as recommended?`;
  return {
    title,
    lines: [...lines, ...(left.length > 0 ? [...(lines.length > 0 ? [""] : []), "Left out:", ...leftOut] : [])],
    answered,
  };
}
