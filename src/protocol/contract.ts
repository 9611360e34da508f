import { z } from "zod";
import { Answer } from "../core/ask/answer/answer.ts";
import { AskState, Kind, Origin } from "../core/ask/ask.ts";
import { ConfigView } from "../core/config/view.ts";
import { LogEvent } from "../core/ask/event.ts";
import { FormDraft } from "../core/form/draft.ts";
import { Outcome } from "../core/ask/outcome.ts";
import { ADDRESSES } from "./address.ts";
import { TRUST_ENDPOINTS } from "./trust.ts";
import { AUTOPILOT_ENDPOINTS } from "./autopilot.ts";
import type { Endpoint } from "./endpoint.ts";
import { GRANT_ENDPOINTS } from "./grant.ts";
import { HUB_ENDPOINTS } from "./hub/hub-endpoints.ts";
import { HOOK_ENDPOINTS } from "./hook-endpoints.ts";
import { MISMATCH_ENDPOINTS } from "./mismatch.ts";
import { PAGE_ENDPOINTS } from "./page.ts";
import { PHONE_ENDPOINTS } from "./phone.ts";
import { PANE_ENDPOINTS } from "./pane.ts";
import { TASK_ENDPOINTS } from "./task.ts";
import { AskView, MismatchView, SessionView, Status } from "./view.ts";

/** A year. */
const MOST_SNOOZE_MINUTES = 525_600;
const count = (max: number, otherwise: number) => z.coerce.number().int().min(1).max(max).default(otherwise);
const Settle = z.strictObject({
  action: z.enum(["answer", "decline", "chat", "cancel"]),
  answers: z.array(Answer).optional(),
  message: z.string().max(10_000).optional(),
  version: z.number().int().optional(),
  /** With an approval for once: the command or content that runs instead. A person's alone. */
  changed: z.string().max(100_000).optional(),
  /** Also where the changed command is one that must be asked about. */
  sure: z.boolean().optional(),
  surface: z.string().max(40).default("api"),
  /** The agent session the caller runs inside, if any: such a caller is an agent, not a person. */
  session: z.string().max(200).optional(),
  /** A program decided it; where a brain is being asked about this Ask, it is that brain's reply. */
  decision: z
    .strictObject({
      reason: z.string().max(2000).optional(),
      confidence: z.number().min(0).max(1).optional(),
      /** What the program calls itself: then it hears of its own mismatches only. */
      program: z.string().max(80).optional(),
      /** What it rests on, as the brain was told to say it. */
      verdict: z.looseObject({}).optional(),
      /** It answers nothing: the verdict says whether a person is needed, as a brain is asked before its answer. */
      isScreening: z.boolean().optional(),
    })
    .optional(),
});

const Snooze = z.strictObject({
  minutes: z.number().min(0).max(MOST_SNOOZE_MINUTES).optional(),
  until: z.number().int().min(0).optional(),
  surface: z.string().max(40).default("api"),
});
/** `draft` is null when nothing is kept. */
const KeptDraft = z.looseObject({
  draft: FormDraft.nullable(),
  by: z.string().optional(),
  at: z.number().optional(),
});

/** The whole HTTP contract as data: the server's routes, the typed client and the docs come from it. */
export const CONTRACT = {
  health: {
    ...ADDRESSES.health,
    needs: "none",
    about: "Is this a Parley daemon, and which one",
    result: z.looseObject({ parley: z.string(), pid: z.number(), instance: z.string() }),
  },
  openapi: {
    ...ADDRESSES.openapi,
    needs: "none",
    about: "This description. It says no more than the source does, so it needs no token",
    result: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
  },
  metrics: {
    ...ADDRESSES.metrics,
    needs: "human",
    about: "Counters and gauges for Prometheus, in its text format",
    result: z.string(),
    text: "text/plain; version=0.0.4; charset=utf-8",
  },
  status: { ...ADDRESSES.status, needs: "human", about: "The daemon and what waits", result: Status },
  listAsks: {
    ...ADDRESSES.listAsks,
    needs: "human",
    about: "Asks, open ones longest waiting first, done ones last settled first, all of them newest first",
    query: z.object({
      state: z.enum(["open", "active", "done", "all"]).or(AskState).default("open"),
      kind: Kind.optional(),
      project: z.string().optional(),
      session: z.string().optional(),
      agent: z.string().max(80).optional(),
      limit: count(500, 100),
      after: z.string().optional(),
      /** A program that decides, by the name it decides under: it hears of its own mismatches, each once. */
      program: z.string().max(80).optional(),
    }),
    result: z.looseObject({
      asks: z.array(AskView),
      next: z.string().optional(),
      /** With the open ones: so many sessions have finished or wait for a prompt. */
      idle: z.number().optional(),
      mismatches: z.array(MismatchView).optional(),
    }),
  },
  getAsk: {
    ...ADDRESSES.getAsk,
    needs: "human",
    about: "One Ask; a unique prefix of its id is enough",
    result: AskView,
  },
  createAsk: {
    ...ADDRESSES.createAsk,
    needs: "agent",
    about: "Ask something; checked strictly",
    body: z.looseObject({
      questions: z.unknown().optional().meta({
        description: "1 to 4 of {question, header, multiSelect, options}; 2 to 4 options of {label, description}",
      }),
      answers: z.unknown().optional().meta({ description: "Suggested answers, by header: a label or own words" }),
      origin: Origin.partial().optional(),
      /** When nobody has answered by then, the Ask expires, or option `choose` (from 0) is taken. */
      timeout: z.strictObject({ ms: z.number().int().min(1), choose: z.number().int().min(0).optional() }).optional(),
      script: z.boolean().optional().meta({
        description: "Of a script: other question marks, labels up to 80 characters, and no options at all are fine",
      }),
      /** The option (from 0) the asker goes on with meanwhile. */
      assume: z.number().int().min(0).optional(),
    }),
    result: AskView,
    brief: z.strictObject({ id: z.string() }),
  },
  settleAsk: {
    ...ADDRESSES.settleAsk,
    needs: "human",
    about: "Answer, decline, chat about or cancel an Ask; the first one wins",
    body: Settle,
    result: AskView,
  },
  snoozeAsk: {
    ...ADDRESSES.snoozeAsk,
    needs: "human",
    about: "Put an open Ask aside for some minutes or until a time; 0 minutes brings it back",
    body: Snooze,
    result: AskView,
  },
  getDraft: {
    ...ADDRESSES.getDraft,
    needs: "human",
    about: "What somebody has filled in for an Ask and not sent",
    result: KeptDraft,
  },
  putDraft: {
    ...ADDRESSES.putDraft,
    needs: "human",
    about: "Keep what is filled in, in place of what was kept; null forgets it",
    body: z.strictObject({ draft: FormDraft.nullable(), by: z.string().max(40).default("api") }),
    result: KeptDraft,
  },
  receiveAnswer: {
    ...ADDRESSES.receiveAnswer,
    needs: "agent",
    about: "Wait for the outcome of an Ask made with POST /api/asks and take it; the whole id is needed",
    query: z.object({ wait: z.coerce.number().int().min(0).max(60_000).default(0) }),
    result: z.looseObject({ outcome: Outcome.optional(), sentence: z.string() }),
  },
  withdrawAsk: {
    ...ADDRESSES.withdrawAsk,
    needs: "agent",
    about: "Take back an Ask made with POST /api/asks; one that is settled stays so; the whole id is needed",
    result: z.looseObject({ outcome: Outcome.optional(), sentence: z.string() }),
  },
  listSessions: {
    ...ADDRESSES.listSessions,
    needs: "human",
    about: "Agent sessions Parley has heard of: running, finished or waiting for a prompt, with their last words",
    query: z.object({ live: z.stringbool().default(false), limit: count(500, 100) }),
    result: z.looseObject({ sessions: z.array(SessionView) }),
  },
  dismissSession: {
    ...ADDRESSES.dismissSession,
    needs: "human",
    about: "Say that you have seen that a session waits for a prompt; a unique prefix of its id is enough",
    body: z.strictObject({ surface: z.string().max(40).default("api") }),
    result: SessionView,
  },
  readLog: {
    ...ADDRESSES.readLog,
    needs: "human",
    about: "The event log; `ask` for one Ask, `task` for a task and what it asked; `tail` for the newest",
    query: z.object({
      after: z.coerce.number().int().min(0).default(0),
      ask: z.string().optional(),
      task: z.string().optional(),
      tail: z.stringbool().default(false),
      limit: count(1000, 200),
    }),
    result: z.looseObject({ events: z.array(LogEvent) }),
  },
  welcome: {
    ...ADDRESSES.welcome,
    needs: "human",
    about: "Let Parley ask, once, which agents it should listen to, or look for them again; `path`: where else",
    body: z.strictObject({ path: z.string().max(32_768).optional(), again: z.boolean().default(false) }).optional(),
    result: z.looseObject({}),
  },
  prune: {
    ...ADDRESSES.prune,
    needs: "human",
    about: "Remove asks that are done and were settled that many days ago",
    body: z.strictObject({ days: z.number().min(0) }),
    result: z.looseObject({ removed: z.number() }),
  },
  config: {
    ...ADDRESSES.config,
    needs: "human",
    about: "The settings in force and where each comes from; `cwd` for those of a project",
    query: z.object({ cwd: z.string().max(4096).optional() }),
    result: ConfigView,
  },
  caller: {
    ...ADDRESSES.caller,
    needs: "human",
    about: "Whom the daemon takes the caller for: a person, or an agent whose session it was started in",
    result: z.looseObject({
      type: z.enum(["person", "agent"]),
      /** Nearest first. */
      sessions: z.array(z.string()),
    }),
  },
  ...PAGE_ENDPOINTS,
  ...PHONE_ENDPOINTS,
  ...TASK_ENDPOINTS,
  ...PANE_ENDPOINTS,
  ...AUTOPILOT_ENDPOINTS,
  ...TRUST_ENDPOINTS,
  ...GRANT_ENDPOINTS,
  ...MISMATCH_ENDPOINTS,
  ...HUB_ENDPOINTS,
  shutdown: {
    ...ADDRESSES.shutdown,
    needs: "human",
    about: "Stop the daemon on purpose",
    result: z.looseObject({ stopping: z.boolean() }),
  },
  ...HOOK_ENDPOINTS,
} satisfies Record<string, Endpoint>;

export type Contract = typeof CONTRACT;
export type EndpointName = keyof Contract;
type Part<E, K extends string, D> = E extends Record<K, z.ZodType> ? z.output<E[K]> : D;
type PartIn<E, K extends string, D> = E extends Record<K, z.ZodType> ? z.input<E[K]> : D;
export type ResultOf<N extends EndpointName> = z.output<Contract[N]["result"]>;
export type BriefOf<N extends EndpointName> = Part<Contract[N], "brief", never>;
export type QueryOf<N extends EndpointName> = Part<Contract[N], "query", object>;
export type BodyOf<N extends EndpointName> = Part<Contract[N], "body", undefined>;
/** What a caller writes: defaults may be left out. */
export type CallOf<N extends EndpointName> = {
  id?: string;
  query?: Partial<PartIn<Contract[N], "query", object>>;
  body?: PartIn<Contract[N], "body", undefined>;
  idempotencyKey?: string;
};

export { STREAMS } from "./address.ts";
export const MAX_BODY = 1024 * 1024;
/** Characters of a draft as JSON: more than any answer may have, and little enough to keep with every keystroke. */
export const MAX_DRAFT = 256 * 1024;
