// What a program that imports this package gets: the one place where names are only passed on.
export { type AskUserQuestionAnswers, formatAskUserQuestionOutput, type LosslessAnswer } from "./answer.ts";
export { createDaemonRef, type DaemonRef, type DaemonRefOptions } from "./daemon-ref.ts";
export { createDialogRef, type DialogQuestions, type ShowDialog, showInTerminal } from "./dialog-ref.ts";
export { type AskUserQuestionDetails, AskUserQuestionError, type AskUserQuestionOutcome } from "./error.ts";
export { findAskUserQuestionTool, findRef, type RegisterOptions } from "./find-ref.ts";
export {
  ASK_USER_QUESTION_TOOL_NAME,
  type AskUserQuestionArgs,
  OTHER_OPTION_LABEL,
  validateAskUserQuestionArgs,
} from "./schema.ts";
export {
  type AskUserQuestion,
  type AskUserQuestionRef,
  type AskUserQuestionResult,
  type AskUserQuestionTool,
  collapsedTitle,
  createAskUserQuestionTool,
} from "./tool.ts";
