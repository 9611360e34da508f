import { resolve } from "node:path";
import type { SessionFacts } from "../../capability/reading.ts";
import type { RemoteReading } from "../../capability/remote.ts";
import { approvalQuestion } from "../approval.ts";
import { keyOf } from "../call-name.ts";
import { commandIn, fileChangeIn } from "../file-change.ts";
import { grantable } from "../grantable.ts";
import { Call, PermissionRequest, questionsOf } from "../payload.ts";
import { readQuestion } from "../read-event.ts";
import { UNTITLED } from "../record.ts";
import { receivedOf } from "./call-result.ts";
import { isToolQuestion, questionsIn, receivedIn } from "./form.ts";
import { CallEvent, Event, Form, FormEnd, OfSession, Permission, RequestEnd, Session } from "./payload.ts";
import { isOwned, requestOf } from "./request.ts";

/** It is kept in its database, also for sessions to come. */
const FOR_GOOD = "from now on, in later sessions too";
type At = { data: unknown; folder: string | undefined; call: unknown };

/** What one event of the service says. `call`: the call or the form it is about, as it began. */
export function read(raw: unknown, call?: unknown): RemoteReading[] {
  const event = Event.safeParse(raw).data;
  const type = event?.type.replace(/^(question|permission)\.v2\./, "$1.").replace(/^session\.next\./, "session.");
  const reader = type !== undefined && Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return event && reader ? reader({ data: event.data, folder: event.location?.directory, call }) : [];
}

const READERS: Record<string, (at: At) => RemoteReading[]> = {
  "form.created": form,
  "form.replied": formEnded,
  "form.cancelled": formEnded,
  "question.asked": question,
  "question.replied": (at) => requestEnded("question", at),
  "question.rejected": (at) => requestEnded("question", at),
  "permission.asked": permission,
  "permission.replied": (at) => requestEnded("permission", at),
  "session.tool.success": result,
  "session.tool.failed": result,
  "session.execution.succeeded": turnEnded,
  "session.execution.failed": turnEnded,
  "session.execution.interrupted": turnEnded,
  "session.created": seen,
  "session.updated": seen,
  "session.renamed": ({ data }) => {
    const { sessionID: id, title } = OfSession.safeParse(data).data ?? {};
    return id === undefined ? [] : [{ type: "session-seen", session: { id, ...titled(title) } }];
  },
  "session.deleted": ({ data }) => {
    const id = OfSession.safeParse(data).data?.sessionID ?? sessionIn(data)?.id;
    return id === undefined ? [] : [{ type: "session-ended", session: { id }, reason: "deleted" }];
  },
};

/** A form that no session owns belongs to its folder. */
const owner = (session: string, folder: string | undefined): SessionFacts => ({
  id: isOwned(session) ? session : `${session} ${folder ?? ""}`,
  ...(folder !== undefined && { cwd: folder }),
});

function form({ data, folder }: At): RemoteReading[] {
  const asked = Form.safeParse((data as { form?: unknown } | null)?.form).data;
  const questions = asked && questionsIn(asked);
  if (!asked || !questions) return [];
  const { id, sessionID, metadata } = asked;
  const { callID, messageID } = metadata?.tool ?? {};
  return [
    {
      type: "asked",
      kind: "question",
      session: owner(sessionID, folder),
      questions,
      key: callID === undefined ? id : keyOf(callID, messageID),
      request: requestOf("form", sessionID, id, folder),
      ...(messageID !== undefined && { turn: messageID }),
      dialogOpen: true,
    },
  ];
}

/** Of a question of its model's the record says how it ended; of another form nothing else does. */
function formEnded({ data, folder, call }: At): RemoteReading[] {
  const ended = FormEnd.safeParse(data).data;
  if (!ended) return [];
  const session = owner(ended.sessionID, folder);
  const settled = { type: "settled" as const, session, request: requestOf("form", ended.sessionID, ended.id, folder) };
  const asked = Form.safeParse(call).data;
  const questions = asked && !isToolQuestion(asked) ? questionsIn(asked) : undefined;
  if (!questions) return [settled];
  return [
    { type: "result", session, key: ended.id, questions, received: receivedIn(questions, ended.answer) },
    settled,
  ];
}

function question({ data, folder, call }: At): RemoteReading[] {
  const asked = readQuestion(data, call);
  if (!asked) return [];
  const { id } = asked.session;
  const request = requestOf("question", id, asked.request);
  return [{ ...asked, session: owner(id, folder), key: keyOf(asked.key, asked.turn), request, dialogOpen: true }];
}

function permission({ data, folder, call: raw }: At): RemoteReading[] {
  const asked = Permission.safeParse(data).data;
  if (!asked) return [];
  const { id, sessionID, source } = asked;
  const call = asBefore(raw, folder);
  const request = asFirst(asked, call, folder);
  const wanted = grantable(request, call);
  const [about, change] = [wanted ?? commandIn(call), fileChangeIn(call)];
  return [
    {
      type: "asked",
      kind: "approval",
      session: owner(sessionID, folder),
      questions: [approvalQuestion(request, call, FOR_GOOD)],
      match: id,
      ...(wanted && { call: wanted }),
      ...(about && { about }),
      ...(change && { change }),
      key: source?.callID === undefined ? id : keyOf(source.callID, source.messageID),
      request: requestOf("permission", sessionID, id),
      ...(source?.messageID !== undefined && { turn: source.messageID }),
      dialogOpen: true,
    },
  ];
}

/** The same request in the words of 1.x, which knows how it is shown. */
function asFirst({ action, resources, save, ...rest }: Permission, call: Call | undefined, folder = "") {
  const { command } = call?.input ?? {};
  const isShell = action === "shell" || action === "bash";
  const path = action === "edit" && resources.length === 1 ? resolve(folder, resources[0] ?? "") : undefined;
  return PermissionRequest.parse({
    ...rest,
    permission: isShell ? "bash" : action,
    patterns: resources,
    always: save,
    metadata: {
      ...rest.metadata,
      ...(isShell && { command: command ?? resources.join(" … ") }),
      ...(path !== undefined && rest.metadata["files"] === undefined && { filepath: path }),
    },
  });
}

/** The call in the words of 1.x. What runs in the background is another thing than what was asked for. */
function asBefore(raw: unknown, folder = ""): Call | undefined {
  const call = Call.safeParse(raw).data;
  if (!call) return undefined;
  const { path, ...input } = call.input;
  const tool = call.tool === "shell" ? "bash" : call.tool;
  return { ...call, tool, input: { ...input, ...(typeof path === "string" && { filePath: resolve(folder, path) }) } };
}

function requestEnded(kind: "question" | "permission", { data, folder }: At): RemoteReading[] {
  const ended = RequestEnd.safeParse(data).data;
  if (!ended) return [];
  const request = requestOf(kind, ended.sessionID, ended.requestID);
  return [{ type: "settled", session: owner(ended.sessionID, folder), request }];
}

/** Only of a call that was seen to begin: else what it was asked is not known, and the record says more. */
function result({ data, folder, call }: At): RemoteReading[] {
  const ended = CallEvent.safeParse(data).data;
  const began = Call.safeParse(call).data;
  if (!ended || !began) return [];
  const { sessionID, callID, assistantMessageID, content, error, metadata, structured } = ended;
  const questions = (began.tool === "question" ? questionsOf(began.input) : undefined) ?? [];
  const answers = (metadata ?? structured)?.["answers"];
  const received = receivedOf({ tool: began.tool, error, answers, content }, questions);
  return [
    {
      type: "result",
      session: owner(sessionID, folder),
      key: keyOf(callID, assistantMessageID),
      questions,
      received,
    },
  ];
}

function turnEnded({ data }: At): RemoteReading[] {
  const id = OfSession.safeParse(data).data?.sessionID;
  return id === undefined ? [] : [{ type: "turn-ended", session: { id } }];
}

const sessionIn = (data: unknown) => Session.safeParse((data as { info?: unknown } | null)?.info).data;

function seen({ data, folder }: At): RemoteReading[] {
  const found = sessionIn(data);
  if (!found) return [];
  const cwd = found.directory ?? found.location?.directory ?? folder;
  const session = { id: found.id, ...(cwd !== undefined && { cwd }), ...titled(found.title) };
  return [{ type: "session-seen", session, parent: found.parentID }];
}

const titled = (title = ""): { title?: string } => (title === "" || UNTITLED.test(title) ? {} : { title });
