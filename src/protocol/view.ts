import { z } from "zod";
import { Ask } from "../core/ask/ask.ts";
import { Session } from "../core/ask/session.ts";

/** An answer that the agent received otherwise, in words for whoever decided it. */
export const MismatchView = z.looseObject({
  ask: z.string(),
  at: z.number(),
  project: z.string().optional(),
  text: z.string(),
});
export type MismatchView = z.infer<typeof MismatchView>;

/** An Ask as surfaces get it: with the agent's name for people and what happened in one sentence. */
export const AskView = Ask.extend({
  agentTitle: z.string(),
  /** What it is called in lists and notifications: the question, the call that waits for leave, the plan. */
  title: z.string().optional(),
  sentence: z.string(),
  /** A hook of the agent, or who asked through the API, waits on the line right now. */
  reachable: z.boolean(),
  /** What its decider should know, where the agent received something else. */
  mismatch: z.string().optional(),
  /** Earlier decisions of whoever settles this that the agent received otherwise; each is told once. */
  mismatches: z.array(MismatchView).optional(),
});
export type AskView = z.infer<typeof AskView>;

/** A Session as surfaces get it. */
export const SessionView = Session.extend({
  agentTitle: z.string(),
  /** finished: its turn is over · waiting: it said itself that it waits for a prompt · dismissed: a person has seen that. */
  state: z.enum(["running", "finished", "waiting", "dismissed"]).optional(),
});
export type SessionView = z.infer<typeof SessionView>;

export const Status = z.looseObject({
  version: z.string(),
  pid: z.number(),
  port: z.number().nullable(),
  url: z.string().nullable(),
  socket: z.string(),
  home: z.string(),
  startedAt: z.number(),
  /** `snoozed`: so many of the open ones are put aside, and wait for nobody now. */
  asks: z.looseObject({ open: z.number(), snoozed: z.number().optional(), undelivered: z.number() }),
  sessions: z.number(),
  /** So many of them have finished or wait for a prompt, and nobody has dismissed that. */
  idle: z.number().optional(),
});
export type Status = z.infer<typeof Status>;

export const ErrorBody = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    problems: z
      .array(
        z.looseObject({
          field: z.string(),
          message: z.string(),
          limit: z.string().optional(),
          actual: z.string().optional(),
        }),
      )
      .default([]),
    details: z.looseObject({}).default({}),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
