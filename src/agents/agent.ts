import type { Ask, Kind } from "../core/ask/ask.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import type { Received } from "../core/receipt/received.ts";
import type { RunStart } from "../core/task/run-start.ts";
import type { Reported, Usage } from "../core/task/usage.ts";
import type { Layout } from "./screen-layout.ts";

export type SessionFacts = { id: string; cwd?: string; transcript?: string; mode?: string };

/** What one call of an agent's hook says, in Parley's words. */
export type HookReading = { session: SessionFacts } & (
  | {
      type: "asked";
      kind: Kind;
      questions: Question[];
      /** Names the call where the questions do not: an approval or a plan. */
      match?: string;
      key?: string;
      turn?: string;
      subagent?: string;
      subagentType?: string;
      dialogOpen: boolean;
    }
  | { type: "result"; key: string; questions: Question[]; received: Received }
  | { type: "turn-ended" }
  /** `began`: it is new, and has done nothing yet. */
  | { type: "session-started"; resumed: boolean; began: boolean }
  | { type: "session-ended"; reason: string }
  /** `needs`: what only the agent's own terminal can give; undefined where a question says it better. */
  | { type: "noticed"; message: string; needs?: "idle" | "elicitation" }
);

/** One line of an agent's own record of a session. */
export type TranscriptItem =
  | { type: "asked"; key: string; questions: Question[]; match?: string; at: number }
  /** `questions`: where the result itself repeats them. */
  | { type: "result"; key: string; questions?: Question[]; read(questions: readonly Question[], kind?: Kind): Received }
  | { type: "context"; text: string }
  /** The person started a turn with a command of a workflow. */
  | { type: "command"; text: string }
  /** A message to the agent. */
  | { type: "told"; text: string }
  | { type: "said"; text: string };

/** How an agent is made to ask through Parley: a change of its settings file. */
export type Install = {
  /** The program's name on the PATH. */
  program: string;
  settingsPath(at: { env: Record<string, string | undefined>; cwd: string; project?: string }): string;
  plan(request: InstallRequest): InstallPlan;
};
/** `text` undefined: there is no file. `program` is the absolute path that the hooks start, `file` is for messages. */
export type InstallRequest = {
  text: string | undefined;
  program: string;
  hold: boolean;
  remove: boolean;
  file: string;
};
export type InstallPlan = { before: string | undefined; after: string | undefined; changed: boolean };

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
  | { type: "began"; version?: string }
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

/** How a run of an agent is started without a terminal. */
export type Headless = {
  /**
   * Contract: pure. What is called, what it is told on its standard input, and the `type` of the line with which it says
   * that it needs no more: until then its input stays open.
   */
  command(run: HeadlessRun): { args: string[]; input: string; inputUntil: string; leaveOut: readonly string[] };
  settings(program: string): object;
  /** What a hook that waits before a call prints so that the run ends and can be resumed with that call. */
  defer: unknown;
  canDefer(version: string | undefined): boolean;
  /** What a hook that waits for a permission prints so that the run ends at once, without it. */
  interrupt: unknown;
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

/** A process and its session. `started` as `ProcessName` has it. */
export type SessionOwner = { pid: number; session: string; started?: string | undefined };

/**
 * A kind of coding agent: pure translation between its payloads and Parley's words.
 * Contract: tolerant of what the agent sends (undefined for what it does not know), exact in what it is sent.
 */
export interface Agent {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** The session that a process with this environment runs inside, if any. */
  sessionIn(env: Record<string, string | undefined>): string | undefined;
  readHook(payload: unknown): HookReading | undefined;
  /** What the waiting hook prints so that the agent goes on with this outcome. */
  reply(payload: unknown, ask: Ask, outcome: Outcome, version: string | undefined): unknown;
  /** What a session that came back is told about answers kept for it. */
  handOver(asks: readonly Ask[]): unknown;
  /** The file with the agent's own record: the session's, or that of one of its subagents. */
  recordPath(transcript: string, subagent: string | undefined): string;
  /** The folder with the records of sessions in that directory, as a process with this environment keeps them. */
  recordsIn(at: { cwd: string; env: Record<string, string | undefined> }): string;
  /** Where its processes write down which session is theirs, if they do. Such a file may outlive its process. */
  readonly owners?: {
    folder(env: Record<string, string | undefined>): string;
    pathOf(pid: number, env: Record<string, string | undefined>): string;
    /** Contract: never throws. */
    read(text: string): SessionOwner | undefined;
  };
  /** A line about a question, or its answer, holds one of these or the question's own key. */
  readonly questionMarks: readonly string[];
  /** A line with a `command` holds this. */
  readonly commandMark: string;
  /** Contract: never throws; a line it cannot read gives nothing. */
  readLine(line: string): TranscriptItem[];
  readonly install: Install;
  readonly headless?: Headless;
  /** How its dialogs look on a terminal, newest version first, where keys can answer them. */
  readonly screens?: readonly Layout[];
  /** The agent's version, as its transcript says it. */
  versionIn(line: string): string | undefined;
}
