import { readActions } from "../../core/ask/action.ts";
import { checkAnswers } from "../../core/ask/check-answer.ts";
import { ParleyError, type Problem } from "../../core/error.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Settlement } from "./settle-ask.ts";

type Given = {
  actions: string;
  reason?: string | undefined;
  confidence?: string | undefined;
  /** What the program calls itself. */
  as?: string | undefined;
};

/** What a decider wrote behind `--actions`. Contract: everything that is wrong with it is said at once. */
export function readDecision({ questions }: AskView, { actions, reason, confidence, as }: Given): Settlement {
  const certainty = confidence === undefined ? undefined : Number(confidence);
  if (certainty !== undefined && !(certainty >= 0 && certainty <= 1))
    throw new ParleyError("usage", "--confidence is a number from 0 to 1");
  const decision = {
    ...(reason !== undefined && { reason }),
    ...(certainty !== undefined && { confidence: certainty }),
    ...(as !== undefined && { program: as }),
  };
  const { action, message, answers } = settled(questions, parsed(actions));
  if (action !== "answer") return { action, ...(message !== undefined && { message }), decision };
  const checked = checkAnswers(questions, answers);
  if (!checked.ok) throw refused(checked.problems);
  return { action, answers: checked.answers, decision };
}

function settled(questions: AskView["questions"], given: unknown) {
  try {
    return readActions(questions, given);
  } catch (error) {
    throw error instanceof ParleyError ? refused(error.problems) : error;
  }
}

const refused = (problems: readonly Problem[]) =>
  new ParleyError("invalid", problems.map(inWords).join("; "), { problems: problems.map(told) });
/** A refusal is read by whoever has to write the actions anew. */
const told = (problem: Problem): Problem => ({ ...problem, message: inWords(problem) });
const inWords = ({ field, message, limit, actual }: Problem) =>
  `${field}: ${message}${limit === undefined ? "" : ` (allowed: ${limit})`}${actual === undefined ? "" : `, not ${JSON.stringify(actual)}`}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ParleyError(
      "usage",
      `--actions is not JSON. One action for each question, options counted from 0: --actions '[{"action":"select","optionIndex":0}]'`,
    );
  }
}
