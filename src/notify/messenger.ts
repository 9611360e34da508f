import type { Notify } from "../core/config/config.ts";
import type { MessengerName } from "../core/config/routes.ts";
import type { Note } from "./note.ts";
import type { ChatInput, ChatView } from "./chat/chat-form.ts";

export { MESSENGERS } from "../core/config/routes.ts";
export type ChannelName = MessengerName;
/** One option and the address that answers with it. */
export type Link = { option: number; label: string; url: string };
/**
 * How the Ask of a notification ended, in words; `type` is `gone` when it was pruned, `snoozed` when it comes back. `plain`:
 * for a message that stays, where "3 s ago" would soon be wrong.
 */
export type Ending = { ask: string; type: string; words: string; plain: string; at: number };
/** What a channel needs to take a notification back later, as JSON: it outlives the daemon. */
export type Ref = Record<string, unknown>;
/** The messages that a reference names. */
export const outOf = <Out>(ref: Ref): Out[] => (Array.isArray(ref["out"]) ? [...(ref["out"] as Out[])] : []);
/** What is known of an earlier attempt at the same notification, and where to keep more of it before going on. */
export type Progress = { ref: Ref; keep: (ref: Ref) => void };
/** `to`: whom it reached, where the messenger knows people. */
export type Sent = { ref: Ref; detail: string; to?: string };

/** Who may answer by a messenger: named by its stable id there, never by where they write. */
export type Person = { id: string; name: string };
/**
 * What came back: a pressed button, a picked list, typed words. `id`: the messenger's own of this one act, so that one that
 * comes twice counts once. `message`: the message it is about, as the messenger names it.
 */
export type Reply = {
  messenger: ChannelName;
  id: string;
  ask: string;
  version?: number;
  message?: string;
  person?: Person;
  input: ChatInput;
};
/**
 * What became of a reply, in words for its person. `kept`: noted, and the message shows `view` now; `settled`: too late;
 * `refused`: nothing was changed.
 */
export type Told =
  | { state: "answered" | "settled" | "refused" | "unknown"; words: string }
  | { state: "kept"; words: string; view: ChatView };
/** It cannot be answered, and why. */
export type NoForm = { state: "settled" | "unknown" | "refused"; words: string };
export type TakeReply = (reply: Reply) => Promise<Told>;

/**
 * Contract (test/contract/messenger.ts): `send` and `withdraw` throw a SendError when it did not work; they end when the
 * signal says so. What it hears of people it hands to the one `TakeReply` it was made with, and to nothing else.
 */
export interface Messenger {
  readonly name: ChannelName;
  /** Wants links for its buttons. */
  readonly links: boolean;
  /** Goes on trying for as long as it matters, instead of a quarter of an hour: what it has sent can be answered there. */
  readonly tireless?: true;
  /** What was sent has no name of ours there: after a kill nobody can tell whether it is out. */
  readonly nameless?: true;
  /** A program reads it: each is sent, however many there are. */
  readonly each?: true;
  /** Why a notification cannot go this way, and what to do about it; undefined when it can. No word of it counts. */
  off(config: Notify, note: Pick<Note, "pane">): string | undefined;
  send(note: Note, links: readonly Link[], config: Notify, signal: AbortSignal, progress?: Progress): Promise<Sent>;
  /**
   * Says once more that what was sent still waits; answers what is to be taken back then. Absent: what it shows stays in
   * sight, or somebody else's program decides.
   */
  remind?(ref: Ref, note: Note, links: readonly Link[], config: Notify, signal: AbortSignal): Promise<Sent>;
  /**
   * Says something to whoever answered by it, where they did: a reply to their message about this Ask. Answers whom it
   * reached. Absent: it takes no answers, or cannot tell who gave one.
   */
  tell?(about: { ask: string; person: string | undefined }, words: string, signal: AbortSignal): Promise<string>;
  /**
   * Takes it back, or marks it as settled: afterwards nothing of it says that it can be answered. `keep`: what is left to be
   * taken back, where that is several.
   */
  withdraw(ref: Ref, ending: Ending, config: Notify, signal: AbortSignal, keep?: Progress["keep"]): Promise<void>;
  /** Listens as the config says, from now on. Absent: nothing but what `send` started comes back this way. */
  follow?(config: Notify): void;
  /** Listens no more. */
  stop?(): Promise<void>;
  /** Sends something that can be pressed, and says whether that came back within `ms`. */
  prove?(config: Notify, ms: number, signal: AbortSignal): Promise<string>;
  /** That its token works, without sending anything: under which name. Throws a SendError when it does not. */
  check?(config: Notify, signal: AbortSignal): Promise<string>;
}

type Failure = {
  again: boolean;
  afterMs?: number | undefined;
  status?: number | undefined;
  alone?: boolean | undefined;
};

/** A notification that did not arrive. Its words are for the log and the person: never a secret, a path or a payload. */
export class SendError extends Error {
  /** Another attempt could do better. */
  readonly again: boolean;
  /** The service said when: nothing is sent to it before. */
  readonly afterMs: number | undefined;
  /** Of HTTP, where the service answered. */
  readonly status: number | undefined;
  /** That service only: others that the messenger sends to take what comes. */
  readonly alone: boolean;
  constructor(message: string, { again, afterMs, status, alone = false }: Failure) {
    super(message);
    this.name = "SendError";
    this.again = again;
    this.afterMs = afterMs;
    this.status = status;
    this.alone = alone;
  }
}
