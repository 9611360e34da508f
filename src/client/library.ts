// What `parley-inbox/client` is to a program of somebody else's.
export type { Answer } from "../core/ask/answer/answer.ts";
export type { LogEvent } from "../core/ask/event.ts";
export type { Outcome } from "../core/ask/outcome.ts";
export type { Option, Question } from "../core/ask/question.ts";
export { type ErrorCode, ParleyError, type Problem } from "../core/error.ts";
export type { TaskView } from "../protocol/task.ts";
export type { AskView } from "../protocol/view.ts";
export {
  type AskList,
  connect,
  type Connection,
  type ConnectOptions,
  type Draft,
  type EventOptions,
  type Settlement,
  type Snooze,
} from "./connect.ts";
