import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { Received } from "../../core/receipt/received.ts";

/** An agent's own record of its sessions: what it received, proven by what it has written down itself. */
export type AgentRecord = {
  /** Where the record is: the session's, or that of one of its subagents. */
  pathOf(transcript: string, subagent: string | undefined): string;
  /** A missing or broken record is an empty one. */
  open(path: string, reading?: RecordReading): SessionRecord;
  /** The agent's version, as its record says it. */
  versionOf(path: string): Promise<string | undefined>;
  /** What the agent said last before that call. Undefined: the call is not written down yet. */
  before(path: string, key: string): Promise<Before | undefined>;
  /** What the agent said last; empty when it said nothing. */
  lastSaid(path: string): Promise<string>;
  /** What the session is called and asked to do, where the record is no file of lines. */
  about?(path: string): Promise<SessionAbout>;
  /** Where it is a file of lines that grows: then it can also be scanned, and found without a hook. */
  lines?: LineFormat;
  /** The folder with the records of sessions in that directory, as a process with this environment keeps them. */
  folderOf?(at: { cwd: string; env: Record<string, string | undefined> }): string;
  /** Where its processes write down which session is theirs, if they do. Such a file may outlive its process. */
  owners?: {
    folder(env: Record<string, string | undefined>): string;
    pathOf(pid: number, env: Record<string, string | undefined>): string;
    /** Contract: never throws. */
    read(text: string): SessionOwner | undefined;
  };
};

/** `tools`: every tool call matters, not only questions; then reading begins shortly before `from`, where the Ask was made. */
export type RecordReading = { tools: boolean; from: number };

/** One session's record, read as it grows. */
export type SessionRecord = {
  /** Reads what was written since the last call. */
  refresh(): Promise<void>;
  received(key: string, questions: readonly Question[], kind?: Kind): Received | undefined;
  /** How many results it has of that call. */
  results(key: string): number;
  /** Tool calls that asked exactly this since that time, oldest first. */
  keysOf(questions: readonly Question[], since: number, match?: string): string[];
  /** The call of that program's tools which was under way at that time; undefined: none, or several that have not all ended. */
  callOf?(asker: string, at: number): string | undefined;
  mentions(text: string): boolean;
  /** Questions without a result yet, oldest first. */
  unanswered(): Unanswered[];
  /** A message to the agent says so; in a session of a person's own that can be anybody's words. */
  wasTold(text: string): boolean;
};

/** `kind`, `match` and `call` as an Ask has them; without them it is a question. */
export type Unanswered = {
  key: string;
  questions: Question[];
  at: number;
  kind?: Kind;
  match?: string;
  call?: ToolCall;
  /** Which tool the agent called. */
  tool?: string;
  /** Its dialog is drawn in a way that no key can answer safely. */
  isTerminalOnly?: true;
};

/** `title`: its own. `prompt`: the first words of its person. `lastPrompt` is another number after each of their prompts. */
export type SessionAbout = { title?: string; prompt?: string; lastPrompt?: number };

/** `lastText` is empty when it said nothing; `position`: where in the record the call stands. */
export type Before = { lastText: string; position: number };

/** How the lines of such a file are read. A mark stands in every line of its kind: others need not be parsed. */
export type LineFormat = {
  marks: {
    /** A line about a question, or its answer, holds one of these or the question's own key. */
    question: readonly string[];
    /** A question that is asked, or a call that waits for leave. */
    asked: readonly string[];
    /** Any call, any result, what the agent says, what it is told, a command of a person, the version. */
    call: string;
    result: string;
    said: string;
    told: string;
    command: string;
    /** What a person says to it: such a line has nothing of `result`. */
    prompt: string;
    title: readonly string[];
    version: string;
  };
  /** Contract: never throws; a line it cannot read gives nothing. */
  read(line: string): RecordItem[];
  versionIn(line: string): string | undefined;
};

/** One line of an agent's own record of a session. */
export type RecordItem =
  | ({ type: "asked" } & Unanswered)
  /** `questions`: where the result itself repeats them. */
  | { type: "result"; key: string; questions?: Question[]; read(questions: readonly Question[], kind?: Kind): Received }
  | { type: "context"; text: string }
  /** The person started a turn with a command of a workflow. */
  | { type: "command"; text: string }
  /** A message to the agent. */
  | { type: "told"; text: string }
  /** A message that a person began a turn with. */
  | { type: "prompt"; text: string }
  /** What the session is called; `isOwn`: by its person. */
  | { type: "title"; text: string; isOwn: boolean }
  | { type: "said"; text: string };

/** A process and its session. `started` as `ProcessName` has it. */
export type SessionOwner = { pid: number; session: string; started?: string | undefined };
