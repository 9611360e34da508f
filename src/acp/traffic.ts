import { asRecord } from "../core/record.ts";
import { type Id, type Json, lineOf, type Message, nameOf } from "./json-rpc.ts";
import { createSessions } from "./sessions.ts";

/** What Parley is told. `call`: what it is about, as far as the agent has said it. */
export type Told = Json;
type Open = { name: string; id: Id; method: string; params: Json; session: string };
/** Answered, and what comes of its call is not known yet. */
type Answered = Open & { by: "editor" | "parley"; result: unknown };
/** What Parley answers with; `stop`: the turn ends too. */
export type Reply = { result: Json; stop?: boolean };

const ASKS = new Set(["session/request_permission", "elicitation/create"]);
const PLACED = new Set(["session/new", "session/load", "session/resume", "session/fork"]);
/** By JSON-RPC: the request was cancelled. */
const CANCELLED = -32800;
const MOST_OPEN = 1000;

/**
 * What goes over one connection between an editor and its agent: which requests of the agent are open, who answered them
 * first, and what came of it. Nothing here keeps a message from its way but the editor's answer to what is answered already.
 * Contract: pure and bounded. It makes no id of its own: to the agent it only replies, the editor it only notifies.
 */
export function createTraffic(run: string) {
  const sessions = createSessions();
  const open = new Map<string, Open>();
  /** Of these the editor's answer comes too late, so often. */
  const late = new Map<string, number>();
  const answered = new Map<string, Answered>();
  /** What the editor asked its agent, where the reply matters. */
  const asked = new Map<string, { method: string; session?: string; cwd?: unknown }>();
  let agent: Json | undefined;
  let count = 0;

  const about = (id: string): Json => ({ session: sessions.session(id), ...(agent && { agent }) });
  const told = (type: string, { name, method, params, session }: Open, more: Json = {}): Told => {
    const { toolCall, ...rest } = params;
    const call = sessions.merge(session, asRecord(toolCall) ?? { toolCallId: rest["toolCallId"] });
    return { type, name, method, params: rest, ...(call && { call }), ...about(session), ...more };
  };

  function fromAgent(message: Message): Told[] {
    if (message.type === "reply") return repliedByAgent(message);
    const { method, params } = message;
    if (message.type === "request") return ASKS.has(method) ? begin(message) : [];
    if (method === "$/cancel_request") return withdrawn(params["requestId"]);
    const [id, update] = [params["sessionId"], asRecord(params["update"])];
    if (method !== "session/update" || typeof id !== "string" || !update) return [];
    return cameOf(id, sessions.updated(id, update));
  }

  function begin({ id, method, params }: Message & { type: "request" }): Told[] {
    const session = params["sessionId"];
    if (typeof session !== "string") return [];
    const request = { name: `${run}.${++count}`, id, method, params, session };
    open.set(nameOf(id), request);
    forgetOldest(open);
    return [told("asked", request)];
  }

  /** The agent itself takes its question back. */
  function withdrawn(raw: unknown): Told[] {
    const key = typeof raw === "string" || typeof raw === "number" ? nameOf(raw) : "";
    const request = open.get(key);
    if (!request) return [];
    open.delete(key);
    return [told("withdrawn", request)];
  }

  function repliedByAgent({ id, result }: Message & { type: "reply" }): Told[] {
    const request = asked.get(nameOf(id));
    asked.delete(nameOf(id));
    if (!request) return [];
    const { method, cwd } = request;
    if (method === "initialize") agent = asRecord(asRecord(result)?.["agentInfo"]);
    const session = request.session ?? asRecord(result)?.["sessionId"];
    if (typeof session !== "string") return [];
    if (method !== "session/prompt") {
      sessions.placed(session, cwd);
      return [{ type: "began", ...about(session), isNew: method === "session/new" }];
    }
    for (const [key, request] of open) if (request.session === session) open.delete(key);
    for (const [name, each] of answered) if (each.session === session) answered.delete(name);
    return [{ type: "turn-ended", ...about(session), said: sessions.said(session) }];
  }

  /** What an agent says of a call that somebody was asked about. */
  function cameOf(session: string, call: Json | undefined): Told[] {
    if (call?.["status"] !== "completed" && call?.["status"] !== "failed") return [];
    const ours = [...answered.values()].filter(
      (each) => each.session === session && callOf(each.params) === call["toolCallId"],
    );
    return ours.map((each) => {
      answered.delete(each.name);
      return told("came", each, { by: each.by, result: each.result });
    });
  }

  /** `false`: the agent has its answer already, and is not given another. */
  function fromEditor(message: Message): { isPassed: boolean; told: Told[] } {
    const passed = (all: Told[] = []) => ({ isPassed: true, told: all });
    if (message.type === "notice") return passed();
    if (message.type === "request") return passed(fromEditorAsked(message));
    const key = nameOf(message.id);
    const request = open.get(key);
    const isCancelled = asRecord(message.error)?.["code"] === CANCELLED;
    // An id that the agent uses again while the editor owes the answer of before: a cancellation is of before.
    if (late.has(key) && (!request || isCancelled)) {
      const left = (late.get(key) ?? 1) - 1;
      if (left > 0) late.set(key, left);
      else late.delete(key);
      return { isPassed: false, told: [] };
    }
    if (!request) return passed();
    open.delete(key);
    const given = message.error === undefined ? { result: message.result } : { error: message.error };
    return passed([told("replied", request, given)]);
  }

  function fromEditorAsked({ id, method, params }: Message & { type: "request" }): Told[] {
    const { sessionId } = params;
    const session = typeof sessionId === "string" ? { session: sessionId } : {};
    if (method === "initialize" || PLACED.has(method) || method === "session/prompt")
      asked.set(nameOf(id), { method, ...session, cwd: params["cwd"] });
    forgetOldest(asked);
    if (method !== "session/prompt" || session.session === undefined) return [];
    sessions.prompted(session.session, params["prompt"]);
    return [{ type: "prompted", ...about(session.session) }];
  }

  /** Undefined: somebody was faster. */
  function answer(name: string, reply: Reply): { toAgent: Buffer[]; toEditor: Buffer[] } | undefined {
    const found = [...open].find(([, request]) => request.name === name);
    if (!found) return undefined;
    const [key, request] = found;
    open.delete(key);
    late.set(key, (late.get(key) ?? 0) + 1);
    forgetOldest(late);
    answered.set(name, { ...request, by: "parley", result: reply.result });
    forgetOldest(answered);
    const stop = { method: "session/cancel", params: { sessionId: request.session } };
    return {
      toAgent: [lineOf({ id: request.id, result: reply.result }), ...(reply.stop ? [lineOf(stop)] : [])],
      toEditor: [lineOf({ method: "$/cancel_request", params: { requestId: request.id } })],
    };
  }

  return { fromAgent, fromEditor, answer, open: (): Told[] => [...open.values()].map((each) => told("asked", each)) };
}

function callOf(params: Json): unknown {
  return asRecord(params["toolCall"])?.["toolCallId"] ?? params["toolCallId"];
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const [oldest] of map) if (map.size > MOST_OPEN) map.delete(oldest);
}
