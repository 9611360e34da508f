import type { SessionFacts } from "../capability/reading.ts";
import type { AgentRemote, RemoteReading } from "../capability/remote.ts";
import { Event, questionOf } from "./payload.ts";
import { receivedIn } from "./received.ts";
import { reply } from "./reply.ts";

/** The extension inside pi says which dialogs are open there, and closes them with what it is told. */
export const remote: AgentRemote = {
  read(raw) {
    const event = Event.safeParse(raw).data;
    return event ? said(event) : [];
  },
  pending: [
    {
      request: { method: "GET", path: "open" },
      read: (body) => (Array.isArray(body) ? body.flatMap((event) => remote.read(event)) : []),
    },
  ],
  reply(ask, outcome, request) {
    const body = reply(ask, outcome);
    return body && { method: "POST", path: request, body };
  },
  recordOf: (record) => record,
};

function said(event: Event): RemoteReading[] {
  const session = sessionOf(event);
  switch (event.type) {
    case "asked": {
      const { name } = event;
      const of = { type: "asked", kind: "question", session, key: name, request: name, dialogOpen: true } as const;
      // A guard before a call asks in the same way as a tool that wants to know something: only a person tells them apart.
      return [{ ...of, questions: [{ ...questionOf(event), mayGuard: true }] }];
    }
    case "ended":
      return ended(event, session);
    case "began":
      return [{ type: "session-started", session, resumed: !event.isNew, began: event.isNew }];
    case "turn-ended":
      return [{ type: "turn-ended", session, ...(event.said !== undefined && { said: event.said }) }];
    case "over":
      return [{ type: "session-ended", session, reason: event.reason }];
  }
}

/** Of an answer of Parley's own only pi's session file is a receipt. */
function ended(event: Event & { type: "ended" }, session: SessionFacts): RemoteReading[] {
  const request = event.name;
  if (event.by === "parley") return [{ type: "settled", session, request }];
  if (event.by === "aborted") return [{ type: "withdrawn", session, request }];
  const questions = [questionOf(event)];
  const result = { key: request, questions, received: receivedIn(event, questions) };
  return [
    { type: "result", session, ...result },
    { type: "settled", session, request },
  ];
}

function sessionOf({ session: { id, cwd, file, title } }: Event): SessionFacts {
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    ...(file !== undefined && { transcript: file }),
    ...(title !== undefined && title !== "" && { title }),
  };
}
