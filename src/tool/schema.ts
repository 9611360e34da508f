import { z } from "zod";
import type { Answer } from "../core/ask/answer/answer.ts";
import type { Problem } from "../core/error.ts";
import type { Question } from "../core/ask/question.ts";
import { validateStrict } from "../core/ask/strict.ts";

export const ASK_USER_QUESTION_TOOL_NAME = "ask_user_question";
export const OTHER_OPTION_LABEL = "Other";

/** Read by models: it says when to ask, and what the person sees anyway. */
export const DESCRIPTION = `Ask the user one to four multiple-choice questions and wait for the answers.

Use it when a decision is the user's to make: a preference, a missing requirement, a choice between approaches that you cannot settle from the code. Do not use it for what you can find out yourself.

- Each question ends with "?" and has 2 to 4 options that differ; a label has 1 to 5 words, its description says what follows from choosing it.
- The user can always type an answer of their own, so never add an option "Other".
- Set multiSelect to true when several options may hold at once.
- If you recommend an option, put it first and end its label with "(Recommended)".
- The user may take hours. The answers come back as "Collected answers:", keyed by header.`;

const Option = z.object({
  label: z.string().min(1).describe("Display text (1-5 words)"),
  description: z.string().min(1).describe("Explanation of choice"),
});
const QuestionArgs = z.object({
  question: z.string().min(1).describe("Question text ending with ?"),
  header: z.string().min(1).max(12).describe("Short label"),
  multiSelect: z.boolean().describe("Allow multiple selections"),
  options: z.array(Option).min(2).max(4),
});

export const AskUserQuestionArgs = z.object({
  questions: z.array(QuestionArgs).min(1).max(4),
  answers: z.record(z.string(), z.string()).optional().describe("Answers to start with, by header"),
});
export type AskUserQuestionArgs = z.infer<typeof AskUserQuestionArgs>;
export type JsonSchema = { [key: string]: unknown; type: "object" };

/** The same as JSON Schema, for hosts and models. */
export const PARAMETERS = parameters();

/** Contract: what the schema cannot say is checked too, and everything that is wrong comes at once. */
export function readArgs(
  args: unknown,
): { ok: true; questions: Question[]; prefill?: Answer[] } | { ok: false; problems: readonly Problem[] } {
  const read = validateStrict(args);
  if (!read.ok) return read;
  return { ok: true, questions: read.questions, ...(read.prefill && { prefill: read.prefill }) };
}

/** Null: nothing is wrong. Otherwise one line for each problem. */
export function validateAskUserQuestionArgs(args: unknown): string | null {
  const read = readArgs(args);
  return read.ok ? null : problemLines(read.problems);
}

export function problemLines(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join("\n");
}

function parameters(): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(AskUserQuestionArgs, {
    io: "input",
    // Some providers refuse a schema with this word, and for JSON it says nothing.
    override: ({ jsonSchema }) => void delete jsonSchema.propertyNames,
  });
  return schema as JsonSchema;
}
