import { z } from "zod";
import { asText } from "../../core/record.ts";
import type { Conversation, Heard } from "../capability/remote.ts";
import { CallRequest, isWaiting, Message, name, type RequestId, StatusChange, Thread } from "./payload.ts";
import type { Reply } from "./reply.ts";
import { versionIn } from "./version.ts";
import { safelyParse } from "../../core/safely-parse.ts";

const Listed = z.looseObject({ data: z.array(name).catch([]), nextCursor: name.optional().catch(undefined) });
const Resolved = z.looseObject({ threadId: name, requestId: z.union([z.number(), z.string()]) });
const Renamed = z.looseObject({ threadId: name, threadName: name });
/** What codex says while it works, word by word: nothing of it is needed. */
const NOT_NEEDED = [
  "item/agentMessage/delta",
  "item/reasoning/textDelta",
  "item/reasoning/summaryTextDelta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "item/plan/delta",
];
type Open = { thread: string; turn: string };
type Waits = { for: "version" | "list" } | { for: "thread" | "attached" | "nothing"; thread: string };

/** A request of codex's is known by this name in Parley. */
export const requestName = (id: RequestId): string => JSON.stringify(id);

/** Before a thread's id, in the place of such a name. */
export const TELL = "tell/";
const Told = z.looseObject({ words: z.string() });

/** What answers an open request: to that itself, and what follows it into its turn. */
export function spoken(
  path: string,
  reply: Reply,
  { thread, turn }: Open,
  call: (method: string, params: Record<string, unknown>) => unknown,
): unknown[] {
  if ("stop" in reply) return [call("turn/interrupt", { threadId: thread, turnId: turn })];
  const answer = { id: JSON.parse(path) as RequestId, result: reply.result };
  if (reply.words === undefined) return [answer];
  const input = [{ type: "text", text: reply.words, text_elements: [] }];
  // While the request is open the turn runs for certain: after the answer it may be over before the words come.
  return [call("turn/steer", { threadId: thread, expectedTurnId: turn, input }), answer];
}

/**
 * A second client at codex's control socket. Everybody there hears which threads wait for somebody; who attaches to such a
 * thread is asked the open request again, and whoever answers first has answered it. It attaches to threads that wait,
 * each by its id, and leaves them when nothing of theirs is open: one it is not needed in is none of its business.
 */
export function createConversation(): Conversation {
  let last = 0;
  let hasList = false;
  const waits = new Map<number, Waits>();
  const threads = new Map<string, Thread>();
  const open = new Map<string, Open>();
  /** Threads that wait, and whose request was not heard yet. */
  const unheard = new Set<string>();
  const attached = new Set<string>();

  function call(method: string, params: object, wait: Waits): unknown {
    const id = ++last;
    waits.set(id, wait);
    return { method, id, params };
  }

  const look = (thread: string) => call("thread/read", { threadId: thread }, { for: "thread", thread });

  function heard(raw: unknown): Heard {
    const message = safelyParse(Message, raw).data;
    const { say = [], events = [], version } = message ? understood(message) : {};
    const isLooking = [...waits.values()].some((wait) => wait.for !== "nothing");
    return { say, events, version, isCaughtUp: hasList && !isLooking && unheard.size === 0 };
  }

  function understood(message: Message): Partial<Heard> {
    const { id, method } = message;
    if (method === undefined) return typeof id === "number" ? replied(id, message) : {};
    return id === undefined ? noticed(method, message) : asked(id, message);
  }

  function replied(id: number, { result = {} }: Message): Partial<Heard> {
    const wait = waits.get(id);
    waits.delete(id);
    if (wait?.for === "version") {
      const list = call("thread/loaded/list", {}, { for: "list" });
      return { say: [{ method: "initialized" }, list], version: versionIn(asText(result["userAgent"])) };
    }
    if (wait?.for === "list") {
      const { data, nextCursor } = Listed.parse(result);
      if (nextCursor === undefined) hasList = true;
      const more = nextCursor === undefined ? [] : [call("thread/loaded/list", { cursor: nextCursor }, wait)];
      return { say: [...data.map(look), ...more] };
    }
    return wait?.for === "thread" ? looked(result["thread"]) : {};
  }

  /** Helpers that codex starts for itself, such as one that finds a title, show nothing to anybody. */
  function looked(raw: unknown): Partial<Heard> {
    const thread = safelyParse(Thread, raw).data;
    if (!thread || thread.ephemeral || thread.path === undefined) return {};
    threads.set(thread.id, thread);
    const events = [{ thread }];
    if (!isWaiting(thread.status) || attached.has(thread.id)) return { events };
    unheard.add(thread.id);
    attached.add(thread.id);
    const params = { threadId: thread.id, excludeTurns: true };
    return { events, say: [call("thread/resume", params, { for: "attached", thread: thread.id })] };
  }

  function asked(id: RequestId, message: Message): Partial<Heard> {
    const request = safelyParse(CallRequest, message.params).data;
    const thread = asText(message.params["threadId"]);
    unheard.delete(thread);
    if (!request) return {};
    open.set(requestName(id), { thread, turn: request.turnId });
    return { events: [{ message, thread: threads.get(thread) }] };
  }

  function noticed(method: string, message: Message): Partial<Heard> {
    const { params } = message;
    if (method === "thread/status/changed") return moved(safelyParse(StatusChange, params).data, message);
    if (method === "serverRequest/resolved") {
      const resolved = safelyParse(Resolved, params).data;
      if (!resolved || !open.delete(requestName(resolved.requestId))) return {};
      return { events: [{ message, thread: threads.get(resolved.threadId) }], say: leave(resolved.threadId) };
    }
    if (method === "thread/name/updated") {
      const renamed = safelyParse(Renamed, params).data;
      const thread = threads.get(renamed?.threadId ?? "");
      return renamed && thread ? { events: [{ thread: { ...thread, name: renamed.threadName } }] } : {};
    }
    return {};
  }

  function moved(change: z.infer<typeof StatusChange> | undefined, message: Message): Partial<Heard> {
    if (!change) return {};
    const { threadId, status } = change;
    // Its name, and where its record is, may be new.
    if (isWaiting(status)) {
      if (!attached.has(threadId)) return { say: [look(threadId)] };
      const known = threads.get(threadId);
      if (known) threads.set(threadId, { ...known, status });
      return {};
    }
    unheard.delete(threadId);
    const thread = threads.get(threadId);
    if (!thread) return status.type === "notLoaded" ? {} : { say: [look(threadId)] };
    threads.set(threadId, { ...thread, status });
    const isOver = status.type !== "active";
    return { say: leave(threadId), ...(isOver && { events: [{ message, thread }] }) };
  }

  function leave(thread: string): unknown[] {
    const isAsked = [...open.values()].some((each) => each.thread === thread);
    if (isAsked || !attached.delete(thread)) return [];
    return [call("thread/unsubscribe", { threadId: thread }, { for: "nothing", thread })];
  }

  /** Into what its model reads, without a turn: only while none runs, so that codex writes it down at once. */
  function told(thread: string, body: unknown): unknown[] | undefined {
    const { words } = safelyParse(Told, body).data ?? {};
    if (words === undefined || threads.get(thread)?.status.type !== "idle") return undefined;
    const item = { type: "message", role: "user", content: [{ type: "input_text", text: words }] };
    return [call("thread/inject_items", { threadId: thread, items: [item] }, { for: "nothing", thread })];
  }

  return {
    begin: () => {
      const clientInfo = { name: "parley", title: "Parley", version: "1" };
      const capabilities = { experimentalApi: true, optOutNotificationMethods: NOT_NEEDED };
      return [call("initialize", { clientInfo, capabilities }, { for: "version" })];
    },
    heard,
    say({ path, body }) {
      if (path.startsWith(TELL)) return told(path.slice(TELL.length), body);
      const where = open.get(path);
      if (!where) return undefined;
      const later = { for: "nothing" as const, thread: where.thread };
      return spoken(path, body as Reply, where, (method, params) => call(method, params, later));
    },
  };
}
