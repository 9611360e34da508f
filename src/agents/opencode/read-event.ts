import { z } from "zod";
import type { Option, Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { Received } from "../../core/receipt/received.ts";
import type { SessionFacts } from "../capability/reading.ts";
import type { FileChange } from "../../core/fact/file-change.ts";
import { commandIn, fileChangeIn } from "./file-change.ts";
import { grantable } from "./grantable.ts";
import { approvalQuestion } from "./approval.ts";
import { Call, name, PermissionRequest, QuestionRequest, questionsOf, SessionInfo } from "./payload.ts";
import { readPart } from "./receipt.ts";

export type Asked = {
  type: "asked";
  session: SessionFacts;
  kind: "question" | "approval" | "plan";
  /** The call, as the model's provider named it: some name every first call of a message the same. `turn` tells them apart. */
  key: string;
  /** What a reply is addressed to. */
  request: string;
  questions: Question[];
  /** Equal approvals are never one: before 1.18 equal words may be different commands. */
  match?: string;
  call?: ToolCall;
  about?: ToolCall;
  change?: FileChange;
  /** The message with the call: other calls of it are siblings. */
  turn?: string;
  subagent?: string;
};

/** What one event of opencode's bus says, in Parley's words. */
export type EventReading =
  | Asked
  /** Whoever it was: our own reply comes back so too. */
  | { type: "settled-elsewhere"; session: SessionFacts; request: string; answers?: string[][]; reply?: string }
  | { type: "result"; session: SessionFacts; key: string; turn?: string; questions: Question[]; received: Received }
  | { type: "turn-ended"; session: SessionFacts }
  /** `parent`: it is a subagent of that session. */
  | { type: "session-started" | "session-seen"; session: SessionFacts; parent?: string; title?: string }
  | { type: "session-ended"; session: SessionFacts; reason: string }
  | { type: "noticed"; session: SessionFacts; message: string };

const Event = z.looseObject({ type: z.string(), properties: z.looseObject({}) });
const Settled = z.looseObject({
  sessionID: name,
  requestID: name,
  answers: z.array(z.array(z.string())).optional().catch(undefined),
  reply: name.optional().catch(undefined),
});
const OfSession = z.looseObject({ sessionID: name, error: z.unknown().optional() });

/** Contract: never throws; undefined for what it does not know. `call`: the call it is about, as the plugin saw it begin. */
export function readEvent(raw: unknown, call?: unknown): EventReading | undefined {
  const event = Event.safeParse(raw).data;
  if (!event) return undefined;
  const { type, properties } = event;
  switch (type) {
    case "question.asked":
      return readQuestion(properties, call);
    case "permission.asked":
      return readPermission(properties, call);
    case "question.replied":
    case "permission.replied":
      return settled(properties);
    case "question.rejected":
      return settled({ ...properties, reply: "reject" });
    case "message.part.updated":
      return result(properties);
    case "session.created":
    case "session.updated":
    case "session.deleted":
      return aboutSession(type, properties["info"]);
    case "session.idle":
    case "session.error":
      return turn(type, properties);
    default:
      return undefined;
  }
}

/** One entry of `GET /question`. */
export function readQuestion(raw: unknown, call?: unknown): Asked | undefined {
  const request = QuestionRequest.safeParse(raw).data;
  const questions = questionsOf(request);
  if (!request || !questions) return undefined;
  const isPlan = Call.safeParse(call).data?.tool === "plan_exit" || isPlanExit(questions);
  return {
    type: "asked",
    kind: isPlan ? "plan" : "question",
    questions: isPlan ? questions.map(decided) : questions,
    ...addressed(request),
  };
}

/** One entry of `GET /permission`. */
export function readPermission(raw: unknown, call?: unknown): Asked | undefined {
  const request = PermissionRequest.safeParse(raw).data;
  if (!request) return undefined;
  const known = Call.safeParse(call).data;
  const questions = [approvalQuestion(request, known)];
  const wanted = grantable(request, known);
  const [change, about] = [fileChangeIn(known), wanted ?? commandIn(known)];
  const named = {
    match: request.id,
    ...(wanted && { call: wanted }),
    ...(about && { about }),
    ...(change && { change }),
  };
  return { type: "asked", kind: "approval", questions, ...named, ...addressed(request) };
}

/** The lists a Parley that comes late asks for. */
export function readPending(questions: unknown, permissions: unknown): Asked[] {
  const listed = (raw: unknown): unknown[] => (Array.isArray(raw) ? raw : []);
  return [
    ...listed(questions).map((entry) => readQuestion(entry)),
    ...listed(permissions).map((entry) => readPermission(entry)),
  ].filter((reading) => reading !== undefined);
}

/** A subagent has a session of its own, which no terminal shows: what it asks belongs to the one above it. */
export function inFamily(asked: Asked, parentOf: (session: string) => string | undefined): Asked {
  const above = [asked.session.id];
  for (let parent = parentOf(asked.session.id); parent !== undefined && !above.includes(parent);) {
    above.push(parent);
    parent = parentOf(parent);
  }
  const id = above.at(-1) ?? asked.session.id;
  return above.length === 1 ? asked : { ...asked, session: { ...asked.session, id }, subagent: asked.session.id };
}

function addressed({
  id,
  sessionID,
  tool,
}: {
  id: string;
  sessionID: string;
  tool?: { callID?: string | undefined; messageID?: string | undefined } | undefined;
}) {
  return {
    session: { id: sessionID },
    request: id,
    key: tool?.callID ?? id,
    ...(tool?.messageID !== undefined && { turn: tool.messageID }),
  };
}

/** opencode's own question whether to leave its plan mode: any answer but `No` lets the agent edit files. */
function isPlanExit([first, ...others]: readonly Question[]): boolean {
  return others.length === 0 && first?.["ownWords"] === false && first.header === "Build Agent";
}

const decided = (question: Question): Question => ({
  ...question,
  options: question.options.map((option): Option => ({ ...option, effect: option.label === "No" ? "deny" : "allow" })),
});

function settled(raw: unknown): EventReading | undefined {
  const parsed = Settled.safeParse(raw).data;
  if (!parsed) return undefined;
  const { sessionID, requestID, answers, reply } = parsed;
  const how = { ...(answers && { answers }), ...(reply !== undefined && { reply }) };
  return { type: "settled-elsewhere", session: { id: sessionID }, request: requestID, ...how };
}

/** Before 1.18 the session stands only in the part. */
function result(properties: Record<string, unknown>): EventReading | undefined {
  const read = readPart(properties["part"]);
  if (!read || read.session === undefined || read.received === "running") return undefined;
  const { session, key, turn, questions, received } = read;
  return { type: "result", session: { id: session }, key, questions, received, ...(turn !== undefined && { turn }) };
}

function aboutSession(type: string, info: unknown): EventReading | undefined {
  const found = SessionInfo.safeParse(info).data;
  if (!found) return undefined;
  const { id, directory, parentID, title } = found;
  const session = { id, ...(directory !== undefined && { cwd: directory }) };
  if (type === "session.deleted") return { type: "session-ended", session, reason: "deleted" };
  return {
    type: type === "session.created" ? "session-started" : "session-seen",
    session,
    ...(parentID !== undefined && { parent: parentID }),
    ...(title !== undefined && { title }),
  };
}

function turn(type: string, raw: unknown): EventReading | undefined {
  const parsed = OfSession.safeParse(raw).data;
  if (!parsed) return undefined;
  const session = { id: parsed.sessionID };
  if (type === "session.idle") return { type: "turn-ended", session };
  const error = ErrorInfo.safeParse(parsed.error).data;
  return { type: "noticed", session, message: error?.data?.message ?? error?.name ?? "" };
}

const ErrorInfo = z.looseObject({
  name: z.string().optional().catch(undefined),
  data: z
    .looseObject({ message: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
