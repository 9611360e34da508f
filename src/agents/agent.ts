import type { Ask, Kind } from "../core/ask.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Question } from "../core/question.ts";
import type { Received } from "../core/received.ts";

export type SessionFacts = { id: string; cwd?: string; transcript?: string; mode?: string };

/** What one call of an agent's hook says, in Parley's words. */
export type HookReading = { session: SessionFacts } & (
  | {
      type: "asked";
      kind: Kind;
      questions: Question[];
      key?: string;
      turn?: string;
      subagent?: string;
      dialogOpen: boolean;
    }
  | { type: "result"; key: string; questions: Question[]; received: Received }
  | { type: "turn-ended" }
  | { type: "session-started"; resumed: boolean }
  | { type: "session-ended"; reason: string }
  | { type: "noticed"; message: string }
);

/** One line of an agent's own record of a session. */
export type TranscriptItem =
  | { type: "asked"; key: string; questions: Question[]; at: number }
  | { type: "result"; key: string; read(questions: readonly Question[]): Received }
  | { type: "context"; text: string }
  | { type: "said"; text: string };

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
  /** Contract: never throws; a line it cannot read gives nothing. */
  readLine(line: string): TranscriptItem[];
  /** The agent's version, as its transcript says it. */
  versionIn(line: string): string | undefined;
}
