/**
 * due: to be sent, at `nextAt` (again) · sent: on its way to the person or there · failed: given up ·
 * leaving: to be taken back, at `nextAt` (again).
 */
export type SendState = "due" | "sent" | "failed" | "leaving";
/** When it was told and by which way, so that a restart neither repeats nor forgets it. */
export type SendPlan = {
  /** It was decided that it is to be told. */
  at?: number;
  told?: number;
  reminded?: number;
  /** Its message says how many more wait. */
  carries?: true;
  /** Waits for the end of the message of that Ask; `counted`: that one says so. */
  behind?: string;
  counted?: true;
  /** Why it was not told yet, as its history says. */
  why?: string;
  /** Its message says that only the agent's own terminal can answer. */
  terminal?: true;
};
export type Send = {
  ask: string;
  channel: string;
  state: SendState;
  attempts: number;
  nextAt: number;
  /** What the channel needs to take it back. */
  ref: Record<string, unknown>;
  plan: SendPlan;
};
/** A message with a person that can be answered there: bound to its Ask, the version it showed, and the person. */
export type MessageRow = {
  channel: string;
  /** As the messenger names it. */
  message: string;
  ask: string;
  version: number;
  person: string;
  /** What the person has chosen so far. */
  draft: Record<string, unknown>;
  at: number;
};
export type LinkRow = { ask: string; option: number; expiresAt: number; usedAt: number | null };

/**
 * What was sent to whom, so that nobody hears of an Ask twice, also after a restart. Beside the store: it says nothing
 * about any Ask, and losing it costs a second notification.
 */
export interface Ledger {
  save(send: Send): void;
  /** All at once: an Ask that was announced on one channel is known on all. */
  announce(ask: string, channels: readonly string[], at: number): void;
  knows(ask: string): boolean;
  /** Something about it is being taken back. */
  isLeaving(ask: string): boolean;
  /** What is due first comes first. */
  sends(): Send[];
  drop(send: Send): void;
  addLink(hash: string, ask: string, option: number, expiresAt: number): void;
  link(hash: string): LinkRow | undefined;
  /** True for one caller only. */
  useLink(hash: string, at: number): boolean;
  unuseLink(hash: string): void;
  /** Long after its end nobody needs to be told what became of a link. */
  forgetLinks(expiredBefore: number): void;
  /** Stays when its notification is over: whoever answers late is told what happened. */
  keepMessage(row: MessageRow): void;
  message(channel: string, message: string): MessageRow | undefined;
  /** Those about one Ask, the first one first. */
  messagesOf(channel: string, ask: string): MessageRow[];
  forgetMessages(before: number): void;
  close(): void;
}
