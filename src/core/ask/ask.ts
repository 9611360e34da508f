import { z } from "zod";
import { Answer } from "./answer/answer.ts";
import { ASK_STATES } from "./state-names.ts";
import { Outcome } from "./outcome.ts";
import { Autopilot, Review } from "./proposal.ts";
import { Question } from "./question.ts";
import { Editable } from "./edit-schema.ts";
import { Fact } from "../fact/fact.ts";
import { ToolCall } from "./tool-call.ts";

export const Kind = z.enum([
  "question",
  "approval",
  "plan",
  "idle",
  "error",
  "dead",
  "gate",
  "elicitation",
  "budget",
  "review",
  "next",
]);
export type Kind = z.infer<typeof Kind>;

/**
 * open: waits for an answer · settled: decided, not yet with the agent · delivered: the agent's hook took it ·
 * verified / mismatched: what the agent's own record says · closed: ended without anything of ours to deliver.
 */
export const AskState = z.enum(ASK_STATES);
export type AskState = z.infer<typeof AskState>;

/** `pid`: the tmux server's; after its end another one may use the same socket and ids. */
export const Pane = z.looseObject({ server: z.string(), id: z.string(), pid: z.number().int().optional() });
export type Pane = z.infer<typeof Pane>;

/** Where an Ask comes from. Only these named values of an agent's surroundings are ever kept. */
export const Origin = z.looseObject({
  agent: z.string(),
  session: z.string().optional(),
  /** What that session, or its task, is called. */
  sessionTitle: z.string().optional(),
  /** The agent's session that a script or a tool was started inside when it asked: not the one to answer. */
  inside: z.string().optional(),
  /** The task whose agent asks. */
  task: z.string().optional(),
  /** Its agent runs in a sandbox of Parley's: nobody is at a terminal there. */
  sandbox: z.boolean().optional(),
  /** The container its agent runs in, as the person named it: neither its files nor its processes have these names here. */
  container: z.string().optional(),
  subagent: z.string().optional(),
  subagentType: z.string().optional(),
  turn: z.string().optional(),
  cwd: z.string().optional(),
  project: z.string().optional(),
  /** The folder of a worktree; its project is the repository. */
  worktree: z.string().optional(),
  /** The repository a worktree belongs to, where its folder was taken for the project. */
  family: z.string().optional(),
  branch: z.string().optional(),
  pane: Pane.optional(),
  /** Of an asker that waits itself: when it is gone, nobody takes the answer. */
  process: z.looseObject({ pid: z.number().int(), started: z.string().optional() }).optional(),
  mode: z.string().optional(),
  lastText: z.string().optional(),
  /** The command its person started the turn with, such as `/gsd:plan-phase 3`. */
  command: z.string().optional(),
  /** What led to it was read from the agent's record, and no more comes. */
  isContextRead: z.boolean().optional(),
  /** How long the agent's record was when it asked: nothing before can be about this Ask. */
  recordSize: z.number().optional(),
  /** When its hook was called, if that found no daemon for a while. */
  calledAt: z.number().optional(),
});
export type Origin = z.infer<typeof Origin>;

/** One place in the agent that waits for this Ask. Equal twins in one turn are one Ask with two of these. */
export const Delivery = z.looseObject({
  key: z.string(),
  state: z.enum(["waiting", "sent", "verified", "mismatched", "ended"]),
  channel: z.string().optional(),
  hold: z.string().optional(),
  released: z.string().optional(),
  racing: z.boolean().optional(),
  /** When the first key for it was pressed. */
  typedAt: z.number().optional(),
  sentAt: z.number().optional(),
  confirmedAt: z.number().optional(),
  detail: z.string().optional(),
});
export type Delivery = z.infer<typeof Delivery>;

/** What its asker said shall happen when nobody answers for `ms`: it expires, or option `choose` is taken. */
export const Deadline = z.looseObject({
  at: z.number(),
  /** Unknown of what an earlier Parley wrote. */
  ms: z.number().optional(),
  choose: z.number().int().optional(),
});
export type Deadline = z.infer<typeof Deadline>;

export const Ask = z.looseObject({
  id: z.string(),
  version: z.number().int(),
  kind: Kind,
  /** Names the tool call it is about, where the questions alone do not. */
  match: z.string().optional(),
  /** What it asks leave for, where a grant could be about it. */
  call: ToolCall.optional().catch(undefined),
  /** What a person may change of it before they allow it, where its agent takes that. */
  editable: Editable.optional().catch(undefined),
  state: AskState,
  questions: z.array(Question),
  origin: Origin,
  deliveries: z.array(Delivery),
  outcome: Outcome.optional(),
  /** What Parley found out about the call itself. */
  facts: z.array(Fact).optional().catch(undefined),
  /** What an edit would make of its file as it is; shown in the place of what the agent says of it. */
  diff: z.string().optional(),
  deadline: Deadline.optional(),
  /** What its asker suggests; shown as chosen when the form opens. */
  prefill: z.array(Answer).optional(),
  /** The option its asker goes on with meanwhile; a later answer confirms or contradicts it. */
  assumption: z.number().int().optional(),
  /** A person wants to see it again only then; it stays open. */
  snoozedUntil: z.number().optional(),
  autopilot: Autopilot.optional(),
  /** When and where its decider was told that the agent received something else. */
  told: z.looseObject({ at: z.number(), to: z.string() }).optional(),
  reviews: z.array(Review).optional(),
  createdAt: z.number(),
  settledAt: z.number().optional(),
  updatedAt: z.number(),
});
export type Ask = z.infer<typeof Ask>;

/** A delivery whose tool call is not known yet: the dialog's hook came, the one with the id did not. */
export const unnamedKey = (call: string): string => `call:${call}`;
export const isUnnamed = ({ key }: Delivery): boolean => key.startsWith("call:");
