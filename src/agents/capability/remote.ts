import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { HookReading, SessionFacts } from "./reading.ts";

/** A running agent that says over a connection what it asks, and takes answers while its own dialog is open. */
export type AgentRemote = {
  /** What one event says. `call`: what the call was given, where the event does not say it. Contract: never throws. */
  read(event: unknown, call?: unknown): RemoteReading[];
  /** What is open already when a connection is made: how it is asked for, and how the reply is read. */
  readonly pending: readonly { request: RemoteRequest; read(body: unknown): RemoteReading[] }[];
  /** The request that answers it. Undefined: this agent cannot be told that. */
  reply(ask: Ask, outcome: Outcome, request: string): RemoteRequest | undefined;
  /** What puts words into a session that asked for none; its model reads them at its next turn. */
  tell?(session: string, words: string): RemoteRequest;
  /** Where it listens itself, Parley connects to it: how it is known again, and where its events are (as SSE). */
  readonly server?: {
    health: RemoteRequest;
    /** Undefined: it is another program. */
    versionIn(body: unknown): string | undefined;
    events: string;
    /** For its password, with HTTP basic. */
    user: string;
  };
  /** Where it listens on a socket of its own, Parley is one more client there. */
  readonly socket?: {
    /** Its path, from that of the file which set-up wrote. */
    pathFor(settings: string): string;
    converse(): Conversation;
    /** What the call that an event is about was given, where only the agent's record says it. Contract: never rejects. */
    callOf(event: unknown): Promise<unknown>;
  };
  /** Where the record of a session is, below what the connection names. */
  recordOf(record: string, session: string): string;
};

/** What is said on such a socket, message by message. Contract: pure, never throws; one for each connection. */
export type Conversation = {
  begin(): unknown[];
  heard(message: unknown): Heard;
  /** What is said to carry a request out. Undefined: what it answers is no longer open. */
  say(request: RemoteRequest): unknown[] | undefined;
};
/** What is said next, and what there is to read. `version`: of the agent, where it has said it. */
export type Heard = {
  say: unknown[];
  events: unknown[];
  version?: string | undefined;
  /** Everything that was open when the connection was made has been heard. */
  isCaughtUp: boolean;
};

/** `followUp`: what follows once it was taken, and is lost where the connection breaks between them. */
export type RemoteRequest = { method: "GET" | "POST"; path: string; body?: unknown; followUp?: RemoteRequest };
/** `status` as HTTP has it; 0: it did not get through. */
export type RemoteReply = { status: number; body: unknown };

type Asked = HookReading & { type: "asked" };
/** `request` names the open dialog where `key` names the call. */
export type RemoteReading =
  | (Asked & { key: string; request: string })
  /** Somebody, we or the person at its terminal, has answered; how, its record says. */
  | { type: "settled"; session: { id: string }; request: string }
  /** The agent itself takes it back: nobody can answer it any more. */
  | { type: "withdrawn"; session: { id: string }; request: string }
  /** `parent`: it is a subagent's, which no terminal shows; what it asks belongs to the one above it. */
  | { type: "session-seen"; session: SessionFacts; parent?: string | undefined }
  | Exclude<HookReading, Asked | { type: "noticed" | "asks" | "decided" }>;
