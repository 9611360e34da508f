// What `parley-inbox` is to a program of somebody else's.
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
