import type { AgentRemote, RemoteReading } from "../capability/remote.ts";
import { keyOf } from "./call-name.ts";
import { type Asked, type EventReading, readEvent, readPermission, readQuestion } from "./read-event.ts";
import { PENDING, reply } from "./reply.ts";
import { UNTITLED } from "./record.ts";
import { locate } from "./session-record.ts";
import { HEALTH, versionInHealth } from "./version.ts";

const [QUESTIONS, PERMISSIONS] = PENDING;

/** opencode 1.x takes answers on its own HTTP interface, in its process (the plugin) or at its port. */
export const remote: AgentRemote = {
  read(event, call) {
    const reading = readEvent(event, call);
    return reading ? said(reading) : [];
  },
  pending: [
    { request: QUESTIONS, read: (body) => listed(body).flatMap((entry) => asked(readQuestion(entry))) },
    { request: PERMISSIONS, read: (body) => listed(body).flatMap((entry) => asked(readPermission(entry))) },
  ],
  reply: (ask, outcome, request) => reply(request, ask, outcome),
  // Without a reply: its model reads it with what comes next.
  tell: (session, words) => ({
    method: "POST",
    path: `/session/${encodeURIComponent(session.toWellFormed())}/message`,
    body: { noReply: true, parts: [{ type: "text", text: words }] },
  }),
  server: { health: HEALTH, versionIn: versionInHealth, events: "/event", user: "opencode" },
  recordOf: locate,
};

function said(reading: EventReading): RemoteReading[] {
  const { session } = reading;
  switch (reading.type) {
    case "asked":
      return asked(reading);
    case "settled-elsewhere":
      return [{ type: "settled", session, request: reading.request }];
    case "result": {
      const { key, turn, questions, received } = reading;
      return [{ type: "result", session, key: keyOf(key, turn), questions, received }];
    }
    case "session-started":
    case "session-seen":
      return [{ type: "session-seen", session: { ...session, ...titled(reading.title) }, parent: reading.parent }];
    case "session-ended":
      return [{ type: "session-ended", session, reason: reading.reason }];
    case "turn-ended":
      return [{ type: "turn-ended", session }];
    // The turn ends after it too, and says so itself.
    case "noticed":
      return [];
  }
}

/** `New session - <time>` until its model has found a title. */
const titled = (title = ""): { title?: string } => (title === "" || UNTITLED.test(title) ? {} : { title });

const asked = (reading: Asked | undefined): RemoteReading[] =>
  reading ? [{ ...reading, key: keyOf(reading.key, reading.turn), dialogOpen: true }] : [];

const listed = (body: unknown): unknown[] => (Array.isArray(body) ? body : []);
