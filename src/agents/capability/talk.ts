import type { RemoteRequest } from "./remote.ts";

/**
 * What is said to an agent that takes no prompt and no flags but a conversation, message by message, over its standard
 * input and output. Contract: pure, never throws; one for each run.
 */
export type Talk = {
  begin(): unknown[];
  heard(message: unknown): TalkStep;
  /** What is said to carry a request out. Undefined: what it answers is not open, or was answered before. */
  say(request: RemoteRequest): unknown[] | undefined;
};

/** `keep`: lines of its stream, for `readStream`. `isOver`: nothing more is said, its input may end. */
export type TalkStep = { say: unknown[]; keep: unknown[]; isOver: boolean };
