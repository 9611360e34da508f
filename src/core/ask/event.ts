import { z } from "zod";
import { Answer } from "./answer/answer.ts";
import { Deadline, Kind, Origin } from "./ask.ts";
import { Actor, Outcome } from "./outcome.ts";
import { AUTOPILOT_STATES, LadderStep, Opinion, Proposal, Review } from "./proposal.ts";
import { Question } from "./question.ts";
import { Editable } from "./edit-schema.ts";
import { Fact } from "../fact/fact.ts";
import { ToolCall } from "./tool-call.ts";
import { Session } from "./session.ts";

/** Bumped when the meaning of a field changes; a new optional field needs no bump. */
export const EVENT_VERSION = 1;

const body = {
  captured: {
    kind: Kind,
    questions: z.array(Question),
    origin: Origin,
    key: z.string(),
    channel: z.string(),
    match: z.string().optional(),
    call: ToolCall.optional().catch(undefined),
    editable: Editable.optional().catch(undefined),
    deadline: Deadline.optional(),
    prefill: z.array(Answer).optional(),
    assumption: z.number().int().optional(),
    /** What the agent sent, for whoever asks why; never part of the Ask itself. */
    raw: z.unknown().optional(),
  },
  joined: { key: z.string(), replaces: z.string().optional(), origin: Origin.partial().optional() },
  context: {
    lastText: z.string().optional(),
    command: z.string().optional(),
    sessionTitle: z.string().optional(),
    isContextRead: z.boolean().optional(),
    facts: z.array(Fact).optional().catch(undefined),
    diff: z.string().optional(),
  },
  held: { key: z.string(), hold: z.string(), channel: z.string(), racing: z.boolean() },
  released: { key: z.string(), hold: z.string(), reason: z.string() },
  /** Keys for it are about to be pressed in its pane. Whatever happens after, it is not typed a second time. */
  typing: { key: z.string(), pane: z.string() },
  autopilot: {
    state: z.enum(AUTOPILOT_STATES),
    why: z.string(),
    steps: z.array(LadderStep),
    proposal: Proposal.optional(),
    due: z.number().optional(),
    brain: z.string().optional(),
    escalated: z.boolean().optional(),
    passing: z.boolean().optional(),
    asked: z.string().optional(),
    /** What was proposed holds no longer. */
    withdrawn: z.boolean().optional(),
    /** Who stopped it, where a person did. */
    actor: Actor.optional(),
    opinions: z.array(Opinion).optional(),
  },
  /** A person looked at what was answered in their place. */
  reviewed: Review.omit({ at: true }).shape,
  /** Its agent is told of the correction, by this hook. `isBack`: the hook could not hand it on. */
  corrected: { to: z.string(), call: z.string().optional(), isBack: z.boolean().optional() },
  snoozed: { until: z.number(), actor: Actor },
  settled: { outcome: Outcome },
  sent: { key: z.string(), channel: z.string(), output: z.unknown().optional() },
  verified: { key: z.string(), detail: z.string().optional() },
  mismatched: { key: z.string(), detail: z.string() },
  /** Whoever decided it was told that the agent received something else. `to`: where, or which brain. */
  told: { to: z.string() },
  /**
   * A messenger told a person of it, waits with it, reminded them, gave up, marked its message as settled, or a reply came in by it. `to`: whom, or from
   * whom; `words`: what was said of it.
   */
  messaged: {
    messenger: z.string(),
    step: z.enum(["sent", "waits", "reminded", "failed", "replied", "marked"]).or(z.string()),
    to: z.string().optional(),
    words: z.string().optional(),
  },
  ended: { key: z.string(), outcome: Outcome },
  closed: { outcome: Outcome },
};

/** Everything that can happen to an Ask. `ended` ends one delivery, `closed` the whole Ask. */
export const AskEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("ask.captured"), ...body.captured }),
  z.looseObject({ type: z.literal("ask.joined"), ...body.joined }),
  z.looseObject({ type: z.literal("ask.context"), ...body.context }),
  z.looseObject({ type: z.literal("ask.held"), ...body.held }),
  z.looseObject({ type: z.literal("ask.released"), ...body.released }),
  z.looseObject({ type: z.literal("ask.typing"), ...body.typing }),
  z.looseObject({ type: z.literal("ask.autopilot"), ...body.autopilot }),
  z.looseObject({ type: z.literal("ask.reviewed"), ...body.reviewed }),
  z.looseObject({ type: z.literal("ask.corrected"), ...body.corrected }),
  z.looseObject({ type: z.literal("ask.snoozed"), ...body.snoozed }),
  z.looseObject({ type: z.literal("ask.settled"), ...body.settled }),
  z.looseObject({ type: z.literal("ask.sent"), ...body.sent }),
  z.looseObject({ type: z.literal("ask.verified"), ...body.verified }),
  z.looseObject({ type: z.literal("ask.mismatched"), ...body.mismatched }),
  z.looseObject({ type: z.literal("ask.told"), ...body.told }),
  z.looseObject({ type: z.literal("ask.messaged"), ...body.messaged }),
  z.looseObject({ type: z.literal("ask.ended"), ...body.ended }),
  z.looseObject({ type: z.literal("ask.closed"), ...body.closed }),
]);
export type AskEvent = z.infer<typeof AskEvent>;

export const SessionEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("session.seen"), session: Session.partial() }),
  /** Its turn is over, or (`asked`) it says that it still waits for a prompt. */
  z.looseObject({
    type: z.literal("session.idle"),
    said: z.string().optional(),
    asked: z.boolean().optional(),
    prompt: z.number().optional(),
  }),
  z.looseObject({ type: z.literal("session.busy") }),
  /** Somebody has seen that it waits for a prompt, and needs not be told any more. */
  z.looseObject({ type: z.literal("session.dismissed"), actor: Actor }),
  /** Asks of it that were corrected afterwards, and of which its agent is still to be told. */
  z.looseObject({ type: z.literal("session.corrected"), asks: z.array(z.string()) }),
  z.looseObject({ type: z.literal("session.ended"), reason: z.string() }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;

/** An event as the log keeps it. `data` is any JSON: what a later Parley wrote is kept, not dropped. */
export const LogEvent = z.looseObject({
  seq: z.number().int(),
  at: z.number(),
  v: z.number().int(),
  type: z.string(),
  ask: z.string().optional(),
  session: z.string().optional(),
  task: z.string().optional(),
  data: z.looseObject({ type: z.string() }),
});
export type LogEvent = z.infer<typeof LogEvent>;
