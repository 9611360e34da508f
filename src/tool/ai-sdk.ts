import { AskUserQuestionError } from "./error.ts";
import { type AskUserQuestionArgs, PARAMETERS } from "./schema.ts";
import { type AskUserQuestionRef, type AskUserQuestionResult, createAskUserQuestionTool } from "./tool.ts";

export type AiSdkResult = AskUserQuestionResult & { isError?: true };
type ModelOutput = { type: "text" | "error-text"; value: string };

/** For the Vercel AI SDK: `tools: { ask_user_question: askUserQuestion(ref) }`. */
export function askUserQuestion(ref: AskUserQuestionRef) {
  const tool = createAskUserQuestionTool(ref);
  return {
    description: tool.description,
    inputSchema: SCHEMA,
    async execute(args: AskUserQuestionArgs, call: { toolCallId: string; abortSignal?: AbortSignal | undefined }) {
      try {
        return (await tool.execute(call.toolCallId, args, call.abortSignal)) as AiSdkResult;
      } catch (error) {
        if (!(error instanceof AskUserQuestionError)) throw error;
        const content = [{ type: "text" as const, text: error.message }];
        return { content, details: error.details, isError: true } satisfies AiSdkResult;
      }
    },
    toModelOutput: ({ output: { content, isError } }: { output: AiSdkResult }): ModelOutput => ({
      type: isError ? "error-text" : "text",
      value: content.map(({ text }) => text).join("\n\n"),
    }),
  };
}

/** A Standard Schema that lets everything through: the tool says what is wrong, in its own words and all at once. */
const SCHEMA = {
  "~standard": {
    version: 1 as const,
    vendor: "parley",
    validate: (value: unknown) => ({ value: value as AskUserQuestionArgs }),
    jsonSchema: { input: () => structuredClone(PARAMETERS), output: () => structuredClone(PARAMETERS) },
    types: undefined as unknown as { input: AskUserQuestionArgs; output: AskUserQuestionArgs },
  },
};
