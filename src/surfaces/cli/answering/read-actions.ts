import { readActions } from "../../../core/ask/answer/action.ts";
import { checkAnswers } from "../../../core/ask/answer/check-answer.ts";
import { ParleyError, type Problem } from "../../../core/error.ts";
import { asRecord } from "../../../core/record.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Settlement } from "./settle-ask.ts";

type Given = {
  actions: string;
  reason?: string | undefined;
  confidence?: string | undefined;
  /** What the program calls itself. */
  as?: string | undefined;
  /** What its answer rests on, as JSON. */
  verdict?: string | undefined;
};

/** What a decider wrote behind `--actions`. Contract: everything that is wrong with it is said at once. */
export function readDecision({ questions }: AskView, { actions, reason, confidence, as, verdict }: Given): Settlement {
  const certainty = confidence === undefined ? undefined : Number(confidence);
  if (certainty !== undefined && !(certainty >= 0 && certainty <= 1))
    throw new ParleyError("usage", "--confidence is a number from 0 to 1");
  const decision = {
    ...(reason !== undefined && { reason }),
    ...(certainty !== undefined && { confidence: certainty }),
    ...(as !== undefined && { program: as }),
    ...(verdict !== undefined && { verdict: readVerdict(verdict) }),
  };
  const { action, message, answers } = settled(questions, parsed(actions, ACTIONS));
  if (action !== "answer") return { action, ...(message !== undefined && { message }), decision };
  const checked = checkAnswers(questions, answers);
  if (!checked.ok) throw refused(checked.problems);
  return { action, answers: checked.answers, decision };
}

/** What a brain says before it answers. The action is nobody's: the daemon takes the verdict, or refuses it. */
export function readScreening({ verdict = "", as }: Pick<Given, "verdict" | "as">): Settlement {
  const program = as === undefined ? {} : { program: as };
  return { action: "chat", decision: { verdict: readVerdict(verdict), isScreening: true, ...program } };
}

function readVerdict(text: string): Record<string, unknown> {
  const found = asRecord(parsed(text, VERDICT));
  if (!found) throw new ParleyError("usage", VERDICT);
  return found;
}

const VERDICT = `--verdict is not a JSON object, such as '{"decidedBy":["judgement"]}'`;
const ACTIONS = `--actions is not JSON. One action for each question, options counted from 0: --actions '[{"action":"select","optionIndex":0}]'`;

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

function parsed(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ParleyError("usage", otherwise);
  }
}
