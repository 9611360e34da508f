import type { Messenger } from "./messenger.ts";
import { post } from "./send/post.ts";

/** ntfy shows at most three actions, and keeps a message of more than 4096 bytes as a file. */
const MOST_ACTIONS = 3;
const LONGEST_BYTES = 3900;

export function createNtfy(): Messenger {
  const messenger: Messenger = {
    name: "ntfy",
    links: true,
    off: ({ ntfy }) => (ntfy.url === "" ? "off; set notify.ntfy.url to your topic" : undefined),
    async send(note, links, { ntfy }, signal) {
      const { base, topic } = split(ntfy.url);
      const sequence = sequenceOf(note.ask);
      const text = cut(note.body);
      // Nobody presses for something of which they have seen a part.
      const actions = (text === note.body ? links : [])
        .slice(0, MOST_ACTIONS)
        .map(({ label, url }) => (note.grave ? opening(label, url) : pressing(label, url)));
      const message = {
        topic,
        title: note.title,
        message: text,
        tags: [note.mismatch ? "warning" : note.digest ? "sunrise" : "question"],
        // With the same one ntfy replaces a notification; older servers than 2.16 do not know it and ignore it.
        sequence_id: sequence,
        ...(note.page !== undefined && { click: note.page }),
        ...(actions.length > 0 && { actions }),
      };
      const body = JSON.stringify(message);
      await post({ method: "POST", url: base, headers: headersFor(ntfy.token), body }, signal);
      return { ref: { sequence }, detail: `published to ${new URL(base).host}` };
    },
    // The same sequence: it takes the place of the first one, and rings again.
    remind: (_ref, note, links, config, signal) => messenger.send(note, links, config, signal),
    async withdraw({ sequence }, _ending, { ntfy }, signal) {
      if (ntfy.url === "") return;
      const { base, topic } = split(ntfy.url);
      const url = `${base}${topic}/${String(sequence)}/clear`;
      await post({ method: "PUT", url, headers: headersFor(ntfy.token) }, signal);
    },
  };
  return messenger;
}

const pressing = (label: string, url: string) => ({ action: "http", label, url, method: "POST", clear: true });
/** The page behind the link shows it once more, with a button of its own. */
const opening = (label: string, url: string) => ({ action: "view", label, url });

/** A server takes JSON at its root, with the topic inside: headers could not carry every letter. */
function split(url: string): { base: string; topic: string } {
  const path = url.replace(/[?#].*$/, "").replace(/\/+$/, "");
  const end = path.lastIndexOf("/");
  return { base: path.slice(0, end + 1), topic: path.slice(end + 1) };
}

/** `[-_A-Za-z0-9]{1,64}`, says ntfy. */
const sequenceOf = (ask: string) => `parley-${ask}`.replace(/[^-\w]/g, "-").slice(0, 64);

function headersFor(token: string): Record<string, string> {
  return { "content-type": "application/json", ...(token !== "" && { authorization: `Bearer ${token}` }) };
}

/** A character that the cut went through comes out as U+FFFD. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_BYTES) return text;
  return `${bytes
    .subarray(0, LONGEST_BYTES)
    .toString("utf8")
    .replace(/\ufffd+$/, "")}…`;
}
