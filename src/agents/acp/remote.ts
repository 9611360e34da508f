import type { Question } from "../../core/ask/question.ts";
import type { SessionFacts } from "../capability/reading.ts";
import type { AgentRemote, RemoteReading } from "../capability/remote.ts";
import { questionsIn } from "./asked-as-permission.ts";
import { formQuestions } from "./form.ts";
import { Elicitation, Event, Permission } from "./payload.ts";
import { grantable, permissionQuestion } from "./permission.ts";
import { readCame, readReply } from "./receipt.ts";
import { reply } from "./reply.ts";

/** An agent behind `parley acp`: the proxy says what goes over its connection to the editor. */
export const remote: AgentRemote = {
  read: (raw) => {
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
    case "asked":
      return asked(event, session);
    case "replied":
    case "came":
      return ended(event, session);
    case "withdrawn":
      return event.name === undefined ? [] : [{ type: "withdrawn", session, request: event.name }];
    case "began":
      return [{ type: "session-started", session, resumed: false, began: event.isNew }];
    case "prompted":
      return [{ type: "session-started", session, resumed: false, began: false }];
    case "turn-ended":
      return [{ type: "turn-ended", session, said: event.said }];
    default:
      return [];
  }
}

function asked(event: Event, session: SessionFacts): RemoteReading[] {
  const { name, call } = event;
  if (name === undefined) return [];
  const of = { type: "asked", session, key: name, request: name, dialogOpen: true } as const;
  const form = event.method === "elicitation/create" ? Elicitation.safeParse(event.params).data : undefined;
  const options = Permission.safeParse(event.params).data?.options;
  const inForm = form && formQuestions(form);
  if (form && inForm) return [{ ...of, kind: "question", questions: keeping(inForm, { form: formOnly(form) }) }];
  if (!options || event.method !== "session/request_permission") return [];
  const questions = questionsIn(call);
  const submit = options.find(({ kind }) => kind.startsWith("allow"))?.optionId;
  if (questions) return [{ ...of, kind: "question", questions: keeping(questions, { submit }) }];
  const question = permissionQuestion(call, options);
  return [{ ...of, kind: "approval", questions: [question], match: name, ...grantable(call, session.cwd) }];
}

/** How it is answered stands with the first question: a daemon that was started again has nothing else. */
const keeping = ([first, ...others]: Question[], how: Record<string, unknown>): Question[] =>
  first ? [{ ...first, ...how }, ...others] : [];
const formOnly = ({ mode, message, requestedSchema }: Elicitation) => ({ mode, message, requestedSchema });

function ended(event: Event, session: SessionFacts): RemoteReading[] {
  const { name } = event;
  if (name === undefined) return [];
  const read = event.type === "came" ? readCame(event) : readReply(event);
  const settled = event.type === "came" ? [] : [{ type: "settled" as const, session, request: name }];
  return [...(read ? [{ type: "result" as const, session, key: name, ...read }] : []), ...settled];
}

/** Which agent it is stands before what the session is about: all of them come this way. */
function sessionOf({ session: { id, cwd, title, prompt }, agent }: Event): SessionFacts {
  const who = agent?.title || agent?.name;
  const what = title || prompt;
  const words = [who, what].filter(Boolean).join(": ");
  return { id, ...(cwd !== undefined && { cwd }), ...(words !== "" && { title: words }) };
}
