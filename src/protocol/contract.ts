import { z } from "zod";
import { Answer } from "../core/answer.ts";
import { AskState, Kind, Origin } from "../core/ask.ts";
import { ConfigView } from "../core/config-view.ts";
import { LogEvent } from "../core/event.ts";
import { Outcome } from "../core/outcome.ts";
import { Session } from "../core/session.ts";
import { HookAck, HookCall, HookRelease, HookReply } from "./hook.ts";
import { NewTask, TaskQuery, TaskView } from "./task.ts";
import { AskView, Status } from "./view.ts";

/** `agent` may ask and receive its own answers; `human` may see and settle everything. */
export type Capability = "none" | "agent" | "human";
export type Endpoint = {
  method: "GET" | "POST";
  path: string;
  needs: Capability;
  /** Says what it is for in the generated description. */
  about: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  result: z.ZodType;
};

const count = (max: number, otherwise: number) => z.coerce.number().int().min(1).max(max).default(otherwise);
const Settle = z.strictObject({
  action: z.enum(["answer", "decline", "chat", "cancel"]),
  answers: z.array(Answer).optional(),
  message: z.string().max(10_000).optional(),
  version: z.number().int().optional(),
  surface: z.string().max(40).default("api"),
  /** The agent session the caller runs inside, if any: such a caller is an agent, not a person. */
  session: z.string().max(200).optional(),
});

/** The whole HTTP contract as data: the server's routes, the typed client and the docs come from it. */
export const CONTRACT = {
  health: {
    method: "GET",
    path: "/health",
    needs: "none",
    about: "Is this a Parley daemon, and which one",
    result: z.looseObject({ parley: z.string(), pid: z.number(), instance: z.string() }),
  },
  status: { method: "GET", path: "/api/status", needs: "human", about: "The daemon and what waits", result: Status },
  listAsks: {
    method: "GET",
    path: "/api/asks",
    needs: "human",
    about: "Asks, open ones longest waiting first, done ones newest first",
    query: z.object({
      state: z.enum(["open", "active", "done", "all"]).or(AskState).default("open"),
      kind: Kind.optional(),
      project: z.string().optional(),
      session: z.string().optional(),
      limit: count(500, 100),
      after: z.string().optional(),
    }),
    result: z.looseObject({ asks: z.array(AskView), next: z.string().optional() }),
  },
  getAsk: {
    method: "GET",
    path: "/api/asks/:id",
    needs: "human",
    about: "One Ask; a unique prefix of its id is enough",
    result: AskView,
  },
  createAsk: {
    method: "POST",
    path: "/api/asks",
    needs: "agent",
    about: "Ask something; checked strictly",
    body: z.looseObject({
      questions: z.unknown().optional(),
      answers: z.unknown().optional(),
      origin: Origin.partial().optional(),
      /** When nobody has answered by then, the Ask expires, or option `choose` (from 0) is taken. */
      timeout: z.strictObject({ ms: z.number().int().min(1), choose: z.number().int().min(0).optional() }).optional(),
      /** The option (from 0) the asker goes on with meanwhile. */
      assume: z.number().int().min(0).optional(),
    }),
    result: AskView,
  },
  settleAsk: {
    method: "POST",
    path: "/api/asks/:id/settle",
    needs: "human",
    about: "Answer, decline, chat about or cancel an Ask; the first one wins",
    body: Settle,
    result: AskView,
  },
  receiveAnswer: {
    method: "GET",
    path: "/api/asks/:id/answer",
    needs: "agent",
    about: "Wait for the outcome of an Ask made with POST /api/asks and take it; the whole id is needed",
    query: z.object({ wait: z.coerce.number().int().min(0).max(60_000).default(0) }),
    result: z.looseObject({ outcome: Outcome.optional(), sentence: z.string() }),
  },
  listSessions: {
    method: "GET",
    path: "/api/sessions",
    needs: "human",
    about: "Agent sessions Parley has heard of",
    query: z.object({ live: z.stringbool().default(false), limit: count(500, 100) }),
    result: z.looseObject({ sessions: z.array(Session) }),
  },
  readLog: {
    method: "GET",
    path: "/api/log",
    needs: "human",
    about: "The event log; `ask` for one Ask; `tail` for the newest",
    query: z.object({
      after: z.coerce.number().int().min(0).default(0),
      ask: z.string().optional(),
      tail: z.stringbool().default(false),
      limit: count(1000, 200),
    }),
    result: z.looseObject({ events: z.array(LogEvent) }),
  },
  welcome: {
    method: "POST",
    path: "/api/welcome",
    needs: "human",
    about: "Let Parley ask, once, which agents it should listen to",
    result: z.looseObject({}),
  },
  prune: {
    method: "POST",
    path: "/api/prune",
    needs: "human",
    about: "Remove asks that are done and were settled that many days ago",
    body: z.strictObject({ days: z.number().min(0) }),
    result: z.looseObject({ removed: z.number() }),
  },
  config: {
    method: "GET",
    path: "/api/config",
    needs: "human",
    about: "The settings in force and where each comes from; `cwd` for those of a project",
    query: z.object({ cwd: z.string().max(4096).optional() }),
    result: ConfigView,
  },
  notifyTest: {
    method: "POST",
    path: "/api/notify/test",
    needs: "human",
    about: "Send a test notification and say what happened",
    body: z.strictObject({ channel: z.enum(["desktop", "ntfy", "webhook"]).optional() }),
    result: z.looseObject({
      enabled: z.boolean(),
      channels: z.array(
        z.looseObject({ channel: z.string(), result: z.enum(["sent", "off", "failed"]), detail: z.string() }),
      ),
      links: z.looseObject({ base: z.string(), port: z.number().optional() }),
    }),
  },
  createTask: {
    method: "POST",
    path: "/api/tasks",
    needs: "human",
    about: "Give an agent a piece of work to do unattended",
    body: NewTask,
    result: TaskView,
  },
  listTasks: {
    method: "GET",
    path: "/api/tasks",
    needs: "human",
    about: "Tasks, in the order they were made",
    query: TaskQuery,
    result: z.looseObject({ tasks: z.array(TaskView) }),
  },
  getTask: {
    method: "GET",
    path: "/api/tasks/:id",
    needs: "human",
    about: "One task; a unique prefix of its id is enough",
    result: TaskView,
  },
  taskFeedback: {
    method: "POST",
    path: "/api/tasks/:id/feedback",
    needs: "human",
    about: "Free text for a waiting task; its agent goes on with it",
    body: z.strictObject({ message: z.string().trim().min(1).max(10_000) }),
    result: TaskView,
  },
  taskRetry: { method: "POST", path: "/api/tasks/:id/retry", needs: "human", about: "Start again", result: TaskView },
  taskCancel: { method: "POST", path: "/api/tasks/:id/cancel", needs: "human", about: "Stop it", result: TaskView },
  taskDone: { method: "POST", path: "/api/tasks/:id/done", needs: "human", about: "Call it done", result: TaskView },
  shutdown: {
    method: "POST",
    path: "/api/shutdown",
    needs: "human",
    about: "Stop the daemon on purpose",
    result: z.looseObject({ stopping: z.boolean() }),
  },
  hookCall: {
    method: "POST",
    path: "/hook/call",
    needs: "agent",
    about: "An agent's hook reports an event, and may wait for an answer",
    body: HookCall,
    result: HookReply,
  },
  hookAck: {
    method: "POST",
    path: "/hook/ack",
    needs: "agent",
    about: "The hook has printed the reply",
    body: HookAck,
    result: z.looseObject({}),
  },
  hookRelease: {
    method: "POST",
    path: "/hook/release",
    needs: "agent",
    about: "The hook stops waiting",
    body: HookRelease,
    result: z.looseObject({}),
  },
} satisfies Record<string, Endpoint>;

export type Contract = typeof CONTRACT;
export type EndpointName = keyof Contract;
type Part<E, K extends string, D> = E extends Record<K, z.ZodType> ? z.output<E[K]> : D;
type PartIn<E, K extends string, D> = E extends Record<K, z.ZodType> ? z.input<E[K]> : D;
export type ResultOf<N extends EndpointName> = z.output<Contract[N]["result"]>;
export type QueryOf<N extends EndpointName> = Part<Contract[N], "query", object>;
export type BodyOf<N extends EndpointName> = Part<Contract[N], "body", undefined>;
/** What a caller writes: defaults may be left out. */
export type CallOf<N extends EndpointName> = {
  id?: string;
  query?: Partial<PartIn<Contract[N], "query", object>>;
  body?: PartIn<Contract[N], "body", undefined>;
  idempotencyKey?: string;
};

/** Live events. Both begin after `after` and miss nothing; SSE also takes `Last-Event-ID`. */
export const STREAMS = { sse: "/api/events", websocket: "/api/ws" } as const;
export const MAX_BODY = 1024 * 1024;
