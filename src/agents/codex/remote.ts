import { z } from "zod";
import { dirname, join } from "node:path";
import type { Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { AgentRemote, RemoteReading } from "../capability/remote.ts";
import { commandAbout, commandQuestion, fileQuestion } from "./approval.ts";
import { createConversation, requestName, TELL } from "./conversation.ts";
import { patchOf } from "./file-change.ts";
import {
  CallRequest,
  CommandRequest,
  FileRequest,
  isQuestion,
  Message,
  name,
  questionsOf,
  StatusChange,
  Thread,
} from "./payload.ts";
import { callIn } from "./record.ts";
import { reply } from "./reply.ts";

/** What a conversation hands on: a message, and the thread it is about. */
const Event = z.looseObject({
  message: Message.optional().catch(undefined),
  thread: Thread.optional().catch(undefined),
  /** Of a thread on an app-server of ours: it is new, or was resumed. */
  began: z.boolean().optional().catch(undefined),
});
const Resolved = z.looseObject({ threadId: name, requestId: z.union([z.number(), z.string()]) });
const FILE_CHANGE = "item/fileChange/requestApproval";

/** codex's terminals are clients of a daemon, and so is Parley: it takes answers while their dialogs are open. */
export const remote: AgentRemote = {
  read(raw, call) {
    const { message, thread, began } = Event.safeParse(raw).data ?? {};
    if (thread && began !== undefined)
      return [{ type: "session-started", session: factsOf(thread), resumed: !began, began }];
    if (!message) return thread ? [seen(thread)] : [];
    return message.id === undefined ? noticed(message, thread) : asked(message, thread, call);
  },
  pending: [{ request: { method: "GET", path: "open" }, read: (body) => listed(body).flatMap(readListed) }],
  reply(ask, outcome, request) {
    const body = reply(ask, outcome);
    return body && { method: "POST", path: request, body };
  },
  tell: (session, words) => ({ method: "POST", path: `${TELL}${session}`, body: { words } }),
  socket: {
    pathFor: (settings) => join(dirname(settings), "app-server-control", "app-server-control.sock"),
    converse: createConversation,
    async callOf(raw) {
      const { message, thread } = Event.safeParse(raw).data ?? {};
      if (message?.method !== FILE_CHANGE || thread?.path === undefined) return undefined;
      const { itemId } = CallRequest.safeParse(message.params).data ?? {};
      return itemId === undefined ? undefined : callIn(thread.path, itemId).catch(() => undefined);
    },
  },
  recordOf: (record) => record,
};

const readListed = (entry: unknown): RemoteReading[] => {
  const { event, call } = (entry ?? {}) as { event?: unknown; call?: unknown };
  return remote.read(event, call);
};

function asked(message: Message, thread: Thread | undefined, call: unknown): RemoteReading[] {
  const request = CallRequest.safeParse(message.params).data;
  const what = request && askedIn(message, call, thread?.cwd);
  if (!what || message.id === undefined) return [];
  const { threadId, turnId, itemId, approvalId } = request;
  const isQuestion = what.kind === "question";
  const reading = {
    type: "asked" as const,
    ...what,
    session: thread ? factsOf(thread) : { id: threadId },
    key: approvalId ?? itemId,
    request: requestName(message.id),
    turn: turnId,
    dialogOpen: true,
    // Equal commands are asked for again, and each time anew.
    ...(!isQuestion && { match: approvalId ?? itemId }),
  };
  if (thread?.parentThreadId === undefined) return [reading];
  const subagentType = thread.agentNickname ?? thread.agentRole;
  return [seen(thread), { ...reading, ...(subagentType !== undefined && { subagentType }) }];
}

/** Somebody can be asked for this; everything else is for a terminal of codex's own. */
export const isAskable = (message: Message): boolean => askedIn(message, undefined, undefined) !== undefined;

function askedIn(
  { method, params }: Message,
  call: unknown,
  folder: string | undefined,
): { kind: "question" | "approval"; questions: Question[]; about?: ToolCall } | undefined {
  if (isQuestion({ method })) {
    const questions = questionsOf(params);
    return questions && { kind: "question", questions };
  }
  if (method === "item/commandExecution/requestApproval") {
    const wanted = CommandRequest.parse(params);
    const about = commandAbout(wanted, folder);
    return { kind: "approval", questions: [commandQuestion(wanted)], ...(about && { about }) };
  }
  if (method === FILE_CHANGE) {
    const patch = patchOf(call);
    const [path, ...others] = patch?.files ?? [];
    const about = path !== undefined && others.length === 0 ? { about: { type: "write" as const, path } } : {};
    return { kind: "approval", questions: [fileQuestion(FileRequest.parse(params), patch)], ...about };
  }
  // Forms of MCP servers and whole permission profiles are its terminal's.
  return undefined;
}

function noticed({ method, params }: Message, thread: Thread | undefined): RemoteReading[] {
  if (method === "serverRequest/resolved") {
    const resolved = Resolved.safeParse(params).data;
    if (!resolved) return [];
    return [{ type: "settled", session: { id: resolved.threadId }, request: requestName(resolved.requestId) }];
  }
  const change = method === "thread/status/changed" ? StatusChange.safeParse(params).data : undefined;
  if (!change || !thread || change.status.type === "active") return [];
  if (change.status.type === "notLoaded")
    return [{ type: "session-ended", session: factsOf(thread), reason: "closed" }];
  return [{ type: "turn-ended", session: factsOf(thread) }];
}

const seen = (thread: Thread): RemoteReading => ({
  type: "session-seen",
  session: factsOf(thread),
  parent: thread.parentThreadId,
});

/** A subagent's record is found from that of its session. */
function factsOf({ id, cwd, path, name: title, parentThreadId }: Thread) {
  return {
    id,
    ...(cwd !== undefined && { cwd }),
    ...(path !== undefined && parentThreadId === undefined && { transcript: path }),
    ...(title !== undefined && { title }),
  };
}

const listed = (body: unknown): unknown[] => (Array.isArray(body) ? body : []);
