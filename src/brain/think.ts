import type { BrainRequest } from "./brain.ts";
import type { Conversations } from "./conversations.ts";
import type { Message } from "./message.ts";
import type { Replies } from "./replies.ts";

type Env = Record<string, string | undefined>;
/** What a brain needs of the daemon. */
export type BrainDeps = {
  env: Env;
  replies: Replies;
  /** Without it a model behind an address is told everything anew each time. */
  conversations?: Conversations;
  /** An empty folder of our own: what lies in the project must not be run or read by a program started for it. */
  folder: string;
  /** What a command line says to start this Parley. */
  parley: string;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Sends a message and answers what comes back, whatever it is. */
export type Think = (message: Message, request: BrainRequest, signal: AbortSignal) => Promise<string>;
