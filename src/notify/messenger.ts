import type { Notify } from "../core/config/config.ts";
import type { Note } from "./note.ts";

export type ChannelName = "desktop" | "ntfy" | "webhook";
/** One option and the address that answers with it. */
export type Link = { option: number; label: string; url: string };
/** How the Ask of a notification ended, in words; `type` is `gone` when it was pruned, `snoozed` when it comes back. */
export type Ending = { ask: string; type: string; words: string; at: number };
/** What a channel needs to take a notification back later, as JSON: it outlives the daemon. */
export type Ref = Record<string, unknown>;

/** Contract: `send` and `withdraw` throw a SendError when it did not work; they end when the signal says so. */
export interface Messenger {
  readonly name: ChannelName;
  /** Wants links for its buttons. */
  readonly links: boolean;
  /** Why this notification cannot go this way, and what to do about it; undefined when it can. */
  off(config: Notify, note: Note): string | undefined;
  send(note: Note, links: readonly Link[], config: Notify, signal: AbortSignal): Promise<{ ref: Ref; detail: string }>;
  withdraw(ref: Ref, ending: Ending, config: Notify, signal: AbortSignal): Promise<void>;
}

/** A notification that did not arrive. Its words are for the log and the person: never a secret, a path or a payload. */
export class SendError extends Error {
  /** Another attempt could do better. */
  readonly again: boolean;
  constructor(message: string, { again }: { again: boolean }) {
    super(message);
    this.name = "SendError";
    this.again = again;
  }
}
