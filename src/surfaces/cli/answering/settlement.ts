import type { Answer } from "../../../core/ask/answer/answer.ts";
import { checkAnswers } from "../../../core/ask/answer/check-answer.ts";
import { ParleyError, type Problem } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { isCancel, rowNumber } from "../../../core/form/rows.ts";
import { prefillFor } from "../../../core/words/pilot-line.ts";
import type { CallOf } from "../../../protocol/contract.ts";
import type { AskView } from "../../../protocol/view.ts";
import { parseAnswer } from "./parse-answer.ts";

export type Given = {
  choices: string[];
  message: string[];
  text: string[];
  field?: string[];
  decline?: boolean;
  chat?: string;
  cancel?: boolean;
};

/** What the words of `parley answer` decide; `where`: what is typed behind them. Contract: everything that is wrong with an answer is said at once. */
export function readSettlement(ask: AskView, given: Given, where = ""): NonNullable<CallOf<"settleAsk">["body"]> {
  const { choices, message, text, field = [], decline, chat, cancel } = given;
  const answers = choices.length + text.length + field.length > 0;
  const ways = [decline, chat !== undefined, cancel, answers].filter(Boolean).length;
  if (ways > 1) throw new ParleyError("usage", "Choose one: an answer, --decline, --chat or --cancel");
  const said = message.length > 0 ? { message: message.join("\n") } : {};
  if (decline) return { action: "decline", ...said };
  if (cancel) return { action: "cancel", ...said };
  if (chat !== undefined) return { action: "chat", message: [chat, ...message].join("\n") };
  const id = shortId(ask.id);
  if (!answers && message.length === 0)
    throw new ParleyError(
      "usage",
      `What is the answer? parley answer ${id} <number>${where}; see: parley show ${id}${where}`,
    );
  const parsed = parseAnswer(
    ask.questions,
    { choices, messages: message, texts: text, fields: field },
    prefillFor(ask),
  );
  const ending = endingOf(ask, parsed.answers);
  if (ending && parsed.problems.length === 0) return ending;
  const problems = [...parsed.problems, ...missing(ask, parsed)]
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .map((problem) => ({ ...problem, message: `${problem.message}${range(problem)}` }));
  if (problems.length > 0) throw new ParleyError("invalid", inWords(ask, problems), { problems });
  return { action: "answer", answers: parsed.answers };
}

/** To end the task, if that is what was chosen. Contract: nothing that was said beside it is dropped. */
function endingOf({ origin, questions }: AskView, answers: readonly Answer[]): { action: "cancel" } | undefined {
  const at = questions.findIndex(({ options }, i) => answers[i]?.picks.some((pick) => isCancel(options[pick])));
  const question = questions[at];
  if (origin.task === undefined || !question) return undefined;
  const number = rowNumber(question, question.options.findIndex(isCancel));
  const field = `q${at + 1}`;
  if (answers.some(({ text, note }) => text !== undefined || note !== undefined)) {
    const message = `Option ${number} cancels the task, and your words would be lost. To send them, leave out the ${number}; to cancel, leave out the words`;
    throw new ParleyError("invalid", message, { problems: [{ field, message, limit: "no words", actual: "words" }] });
  }
  const count = answers.flatMap(({ picks }) => picks).length;
  if (count === 1) return { action: "cancel" };
  const message = `Option ${number} cancels the task: give it alone`;
  throw new ParleyError("invalid", message, { problems: [{ field, message, limit: "1 choice", actual: `${count}` }] });
}

/** What the daemon would refuse; a question whose words were not understood has said enough already. */
function missing(ask: AskView, { answers, problems }: ReturnType<typeof parseAnswer>): Problem[] {
  const checked = checkAnswers(ask.questions, answers);
  if (checked.ok) return [];
  return checked.problems
    .map((problem) => ({
      ...problem,
      field: problem.field.replace(/^answers\[(\d+)\].*/, (_, i) => `q${Number(i) + 1}`),
    }))
    .filter(({ field }) => !problems.some((known) => known.field === field));
}

/** `There is no option 9 (1-3)`. */
const range = ({ limit = "" }: Problem) => (/^1-\d+$/.test(limit) && limit !== "1-1" ? ` (${limit})` : "");

const orderOf = ({ field }: Problem) => Number(field.slice(1));

function inWords({ questions }: AskView, problems: readonly Problem[]): string {
  return problems.map(({ field, message }) => (questions.length > 1 ? `${field}: ${message}` : message)).join("; ");
}
