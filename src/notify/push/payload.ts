import { createHash } from "node:crypto";
import { TERMINAL_ONLY } from "../../core/words/ask-words.ts";
import type { Ending } from "../messenger.ts";
import type { Note } from "../note.ts";
import { MOST_PLAIN } from "./encrypt.ts";

/**
 * What the page's worker is told (`page/worker.js`). `ask`: shown, with the options that may be pressed; `close`: it is over,
 * said for a moment; `say`: words about it. What has the same `tag` takes the other's place.
 */
export type Payload = {
  type: "ask" | "close" | "say";
  tag: string;
  ask?: string;
  /** What a press is about. */
  message?: string;
  title: string;
  body: string;
  actions: { action: string; title: string }[];
  /** It rings again. */
  again?: true;
  /** Which view of the page it opens. */
  view?: "answered" | "board";
};

const MOST_ACTIONS = 3;
/** Of a longer one a locked phone shows only the beginning. */
const LONGEST_PRESSED = 300;

export function askPayload(note: Note, message: string, text: boolean): Payload {
  if (note.digest) return digestPayload(note, note.digest.words, text);
  const about = { type: "ask" as const, tag: note.ask, ask: note.ask, message };
  if (!text) return { ...about, ...quietly(note), actions: [] };
  const actions = pressedOn(note).map(({ option, label }) => ({ action: String(option), title: label }));
  const how =
    actions.length > 0 || note.mismatch ? "" : `\n\n${note.terminal ? TERMINAL_ONLY : "Open it to answer it."}`;
  return fitting({ ...about, title: note.title, body: `${note.body}${how}`, actions });
}

/** The options that may be pressed on it: none where something is at stake, or where not all of it would be seen. */
export function pressedOn({ buttons, plain, body }: Note): Note["buttons"] {
  return plain === true && body.length <= LONGEST_PRESSED ? buttons.slice(0, MOST_ACTIONS) : [];
}

export function closePayload({ ask, type, plain }: Ending, text: boolean): Payload {
  const words = type === "answered" ? "Answered" : type === "snoozed" ? "Snoozed" : "Settled";
  const title = text ? `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}` : words;
  return fitting({ type: "close", tag: ask, ask, title, body: "", actions: [] });
}

/** Work that waits for a second person: read and agreed to in the page. */
export function taskPayload({ tag, title, body }: Pick<Payload, "tag" | "title" | "body">, text: boolean): Payload {
  const quiet = { title: "A task waits", body: "Open it to read it and agree." };
  const shown = text ? { title, body: `${body}\n\nOpen it to agree.` } : quiet;
  return fitting({ type: "ask", tag, ...shown, actions: [], view: "board" });
}

export function taskClosePayload({ tag, title }: Pick<Payload, "tag" | "title">, text: boolean): Payload {
  return fitting({ type: "close", tag, title: text ? title : "Settled", body: "", actions: [], view: "board" });
}

export function sayPayload(ask: string, words: string, text: boolean): Payload {
  const body = text ? words : "There is something to know about an answer of yours. Open it to read it.";
  return fitting({ type: "say", tag: `${ask} told`, ask, title: "Parley", body, actions: [] });
}

/** How many they are is no secret of the questions; the names of projects may be. */
function digestPayload({ ask, body }: Note, words: string, text: boolean): Payload {
  const said = { title: words, body: text ? body : "Open it to read them." };
  return fitting({ type: "say", tag: ask, ...said, actions: [], view: "answered" });
}

export const TEST = { type: "ask" as const, tag: "parley-test", title: "Parley", body: "This is a test." };

/** One that waits at the service is replaced by the next about the same thing (RFC 8030: at most 32 letters). */
export const topicOf = (tag: string): string => createHash("sha256").update(tag).digest("base64url").slice(0, 32);

/** Nothing of the question: a locked screen shows it to everybody. */
function quietly({ mismatch }: Note): Pick<Payload, "title" | "body"> {
  if (mismatch) return { title: "Parley", body: "An agent received something else than you answered." };
  return { title: "A question waits", body: "Open it to read and answer it." };
}

/** Nobody presses for something of which they have seen a part. */
function fitting(payload: Payload): Payload {
  if (sizeOf(payload) <= MOST_PLAIN) return payload;
  let { body, title } = payload;
  if (sizeOf({ ...payload, body: "", actions: [] }) > MOST_PLAIN) title = `${title.slice(0, 200).toWellFormed()}…`;
  const cut = () => ({ ...payload, title, body: `${body.toWellFormed()}…`, actions: [] });
  while (body !== "" && sizeOf(cut()) > MOST_PLAIN) body = body.slice(0, Math.floor(body.length * 0.9));
  return cut();
}

const sizeOf = (payload: Payload) => Buffer.byteLength(JSON.stringify(payload));
