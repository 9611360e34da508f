import type { Answer } from "../../ask/answer/answer.ts";
import type { Ask } from "../../ask/ask.ts";

/** The same question with its options the other way round: who takes the first because it is the first answers otherwise. */
export function reversedAsk<Asked extends Pick<Ask, "questions">>(ask: Asked): Asked {
  return { ...ask, questions: ask.questions.map((each) => ({ ...each, options: each.options.toReversed() })) };
}

/** What was answered to the reversed one, as an answer to the one that was asked. */
export function turnedBack({ questions }: Pick<Ask, "questions">, answers: readonly Answer[]): Answer[] {
  return answers.map((answer, i) => {
    const last = (questions[i]?.options.length ?? 0) - 1;
    return { ...answer, picks: answer.picks.map((pick) => last - pick).toSorted((a, b) => a - b) };
  });
}
