import type { RunStart } from "../../core/task/run-start.ts";
import type { Reported, Usage } from "../../core/task/usage.ts";
import type { Talk } from "./talk.ts";

/** What one line of a headless run's output says. */
export type StreamItem =
  | { type: "said"; text: string }
  /** `summary`: what it is about, on one line; of a question its text. `message` tells calls of one message apart. */
  | {
      type: "called";
      key: string;
      tool: string;
      summary: string;
      message: string;
      input: unknown;
      /** It is a question to a person. */
      asks: boolean;
    }
  | { type: "returned"; key: string; isError: boolean; text: string }
  /** `session`: as the agent itself has named it, where it does. */
  | { type: "began"; version?: string; session?: string }
  /** What a connection to it would have said: what it asks, and what of that is answered. */
  | { type: "heard"; event: unknown }
  /** A message is being written: calls in it may already run while others follow. `message-ended`: now it is whole. */
  | { type: "message-began"; message: string }
  | { type: "message-ended" }
  /** What a message has used so far; the last word on it replaces the ones before. */
  | { type: "used"; message: string; inputTokens: number; outputTokens: number }
  /** The run is over. `deferred`: it was told to put off this call and can be resumed with it. */
  | {
      type: "ended";
      ok: boolean;
      text: string;
      deferred?: string;
      overBudget?: boolean;
      /** Tokens and turns of this run. Its cost may be that of the whole session: `Reported` tells. */
      usage: Usage;
      reported: Reported;
    };

/** What an agent needs of its person's home, and of the network, where it sees nothing else of them. */
export type SandboxNeeds = {
  /** Files and folders it reads, at the same place; what is not there is left out. */
  read: readonly string[];
  /**
   * Folders of its own, at the place where it looks for them: each task has its own, which it can write. They begin with
   * copies of `copies`, by their names there; `reads` of what is at that place stay the person's, to be read only.
   */
  own: readonly { path: string; copies: Readonly<Record<string, string>>; reads: readonly string[] }[];
  /** `host:port` of what it works with. */
  reaches: readonly string[];
  env: Readonly<Record<string, string>>;
};

/** How a run of an agent is started without a terminal. */
export type Headless = {
  /** It speaks the Agent Client Protocol: a client of Parley's own runs it, and prints its stream. */
  isAcp?: true;
  /** Where it writes its sessions down, where no hook says so. */
  recordOf?(session: string, cwd: string, env: Readonly<Record<string, string>>): string;
  /** `program`: as it was found. Contract: looks at names and links alone. Without: it cannot be put into a sandbox. */
  sandbox?(program: string, env: Readonly<Record<string, string>>): SandboxNeeds;
  /**
   * Contract: pure. What is called, what it is told on its standard input, and the `type` of the line with which it says
   * that it needs no more: until then its input stays open.
   */
  command(run: HeadlessRun): { args: string[]; input: string; inputUntil: string; leaveOut: readonly string[] };
  /** Where it is talked to instead: its input is this conversation, and what it asks is answered there. */
  talk?(run: HeadlessRun): Talk;
  /** It says what a run has cost, so that it can be held to a budget. */
  tellsCost: boolean;
  /** It calls a hook before each call, whatever its mode: what must be asked about is asked. */
  looksFirst: boolean;
  /** `mustAsk`: with a hook before every call, for what must be asked about. */
  settings(program: string, mustAsk?: boolean): object;
  /** What a hook that waits before a call prints so that the run ends and can be resumed with that call. */
  defer: unknown;
  canDefer(version: string | undefined): boolean;
  /** What a hook that waits for a permission prints so that the run ends at once, without it. */
  interrupt: unknown;
  /** Every permission mode that some version of it takes. */
  modes: readonly string[];
  /** Permission modes that allow no more than its usual one. */
  carefulModes: readonly string[];
  /** It was resumed with a session that it has no record of. */
  isUnknownSession(errors: string): boolean;
  /** Contract: never throws. */
  readStream(line: string): StreamItem[];
};
export type HeadlessRun = {
  session: string;
  start: RunStart;
  prompt: string;
  /** The file with `settings`. */
  settings: string;
  model?: string | undefined;
  permissionMode?: string | undefined;
  /** It ends when it has cost this much. */
  budgetUsd?: number | undefined;
};
