import type { Answer } from "../core/ask/answer/answer.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import type { AgentDoctor } from "./capability/doctor.ts";
import type { Headless } from "./capability/headless.ts";
import type { Install } from "./capability/install.ts";
import type { AgentLab } from "./capability/lab.ts";
import type { HookReading } from "./capability/reading.ts";
import type { AgentRecord } from "./capability/record.ts";
import type { AgentRemote } from "./capability/remote.ts";
import type { AgentService } from "./capability/service.ts";
import type { Layout } from "./capability/screen-layout.ts";

/**
 * A kind of coding agent: what it is called, and what can be done with it. Shared code asks for the capability, never for
 * the name.
 * Contract: tolerant of what the agent sends (undefined for what it does not know), exact in what it is sent.
 */
export interface Agent {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** The program's name on the PATH. */
  readonly program: string;
  /** Its other names there, for versions that stand beside the usual one. */
  readonly otherPrograms?: readonly string[];
  /** The session that a process with this environment runs inside, if any. */
  sessionIn(env: Record<string, string | undefined>): string | undefined;
  /** It calls programs when it asks, and waits for what they print. */
  readonly hooks?: AgentHooks;
  readonly record?: AgentRecord;
  readonly remote?: AgentRemote;
  readonly service?: AgentService;
  readonly headless?: Headless;
  /** How its dialogs look on a terminal, newest version first, where keys can answer them. */
  readonly screens?: readonly Layout[];
  /** An outcome as its dialog takes it, where that is not as the Ask has it. Undefined: no key says it. */
  readonly typed?: (ask: Ask, outcome: Outcome) => { questions: Question[]; answers: Answer[] } | undefined;
  /** These are loaded only when somebody wants them. */
  readonly install?: () => Promise<Install>;
  readonly doctor?: () => Promise<AgentDoctor>;
  readonly lab?: () => Promise<AgentLab>;
}

/** Pure translation between what its hooks send and print and Parley's words. */
export type AgentHooks = {
  /** `modes`: the permission modes in which its session is known to have been. `isHeld`: the hook waits for what it prints. */
  read(payload: unknown, modes?: readonly string[], isHeld?: boolean): HookReading | undefined;
  /** What the waiting hook prints so that the agent goes on with this outcome. */
  reply(payload: unknown, ask: Ask, outcome: Outcome, version: string | undefined): unknown;
  /** What a hook prints before a call that must be asked about in every mode; the agent opens its dialog then. */
  askFirst?(reason: string): unknown;
  /** After a call that was changed before it was allowed: what ran, and how the agent is told. */
  ran?(payload: unknown): { session: string; key: string; text: string; tell(words: string): unknown } | undefined;
  /** What they send says all that there is to a question: the record and the folder may be out of sight, as in a container. */
  isForContainers?: boolean;
  /** None of them can answer while its dialog is open: keys do. */
  isTyped?: boolean;
  /** What its hook sends at the dialog for a command in a folder: played after a start, before the first one comes. */
  rehearsal?(session: string, cwd: string, command: string): Record<string, unknown>;
  /** What a session that came back is told about answers kept for it, and what else there is to tell. */
  handOver(asks: readonly Ask[], words?: readonly string[]): unknown;
  /** How this hook tells its agent something. `name`: the hook, as people know it. Undefined: it carries no words. */
  telling?(payload: unknown): { name: string; print(words: string): unknown } | undefined;
};
