import { counted } from "../core/words/number.ts";
import { unlessAborted } from "./abort.ts";
import {
  answersByHeader,
  type AskUserQuestionAnswers,
  formatAskUserQuestionOutput,
  formatNotes,
  type LosslessAnswer,
  readAnswers,
} from "./answer.ts";
import { ABORTED, aborted, type AskUserQuestionDetails, AskUserQuestionError, NOT_READY } from "./error.ts";
import {
  ASK_USER_QUESTION_TOOL_NAME,
  type AskUserQuestionArgs,
  DESCRIPTION,
  type JsonSchema,
  PARAMETERS,
  problemLines,
  readArgs,
} from "./schema.ts";

/** What a ref collects: answers as text by header, or in their parts. */
export type Collected = AskUserQuestionAnswers | { lossless: LosslessAnswer[] };
export type AskUserQuestion = (args: AskUserQuestionArgs, signal?: AbortSignal) => Promise<Collected>;

/** The wire between tool and user interface. `current` may be set later; until then a call is refused. */
export type AskUserQuestionRef = {
  current?: AskUserQuestion | undefined;
  /** Rejects by itself, with what was chosen by then, when the signal says so. */
  handlesAbort?: true;
};

export type AskUserQuestionResult = {
  content: { type: "text"; text: string }[];
  details: AskUserQuestionDetails;
};
export type AskUserQuestionTool = {
  name: typeof ASK_USER_QUESTION_TOOL_NAME;
  label: typeof ASK_USER_QUESTION_TOOL_NAME;
  description: string;
  /** JSON Schema. */
  parameters: JsonSchema;
  /** Contract: rejects with an AskUserQuestionError when there are no answers, whatever the reason. */
  execute(toolCallId: string, args: unknown, signal?: AbortSignal): Promise<AskUserQuestionResult>;
};

export function createAskUserQuestionTool(ref: AskUserQuestionRef): AskUserQuestionTool {
  return {
    name: ASK_USER_QUESTION_TOOL_NAME,
    label: ASK_USER_QUESTION_TOOL_NAME,
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async execute(_toolCallId, args, signal) {
      const read = readArgs(args);
      if (!read.ok) throw new AskUserQuestionError("invalid", problemLines(read.problems), { problems: read.problems });
      if (signal?.aborted) throw aborted();
      const ask = ref.current;
      if (!ask) throw new AskUserQuestionError("invalid", NOT_READY);

      const working = ask(args as AskUserQuestionArgs, signal).catch((error: unknown) => {
        throw typed(error);
      });
      // A ref that does not listen to the signal must not keep the host waiting.
      const given = await (signal && !ref.handlesAbort ? unlessAborted(working, signal) : working);
      const lossless = isLossless(given) ? given.lossless : readAnswers(read.questions, given);
      const answers = isLossless(given) ? answersByHeader(lossless) : given;
      const notes = formatNotes(lossless);
      const texts = [formatAskUserQuestionOutput(read.questions, answers), ...(notes === undefined ? [] : [notes])];
      return {
        content: texts.map((text) => ({ type: "text", text })),
        details: { outcome: "answered", answers, lossless },
      };
    },
  };
}

/** `2 questions`, for a call shown on one line. */
export function collapsedTitle(args: unknown): string {
  const { questions } = (args ?? {}) as { questions?: unknown };
  const count = Array.isArray(questions) ? questions.length : 0;
  return count === 0 ? "" : counted(count, "question");
}

/** A host's own interface knows only the words. */
function typed(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AskUserQuestionError) return error;
  if (error.message.startsWith("AskUserQuestion cancelled"))
    return new AskUserQuestionError("cancelled", error.message);
  return error.message === ABORTED ? aborted() : error;
}

function isLossless(given: Collected): given is { lossless: LosslessAnswer[] } {
  return Array.isArray(given["lossless"]);
}
