import { z } from "zod";
import { Answer } from "./answer.ts";
import { Actor } from "./outcome.ts";

/** One step of the ladder that the autopilot climbs for an Ask, and why it ended as it did. */
export const LadderStep = z.looseObject({
  step: z.string(),
  name: z.string().optional(),
  result: z.string(),
  why: z.string(),
});
export type LadderStep = z.infer<typeof LadderStep>;

/** What a rule or a brain would answer. */
export const Proposal = z.looseObject({
  action: z.enum(["answer", "decline", "chat", "cancel"]),
  answers: z.array(Answer).optional(),
  message: z.string().optional(),
  by: Actor,
  reason: z.string(),
  confidence: z.number().optional(),
  warning: z.string().optional(),
});
export type Proposal = z.infer<typeof Proposal>;

/**
 * asking: a brain thinks · held: goes out at `due` unless somebody is first · suggested: a person accepts it or not ·
 * human: left to a person · paused: goes on when the autopilot is resumed · undone: a person took it back ·
 * late: the reply came when the Ask was settled already.
 */
export const AUTOPILOT_STATES = ["asking", "held", "suggested", "human", "paused", "undone", "late"] as const;

/** How far the autopilot is with an Ask. */
export const Autopilot = z.looseObject({
  state: z.enum(AUTOPILOT_STATES),
  at: z.number(),
  why: z.string(),
  proposal: Proposal.optional(),
  due: z.number().optional(),
  brain: z.string().optional(),
  /** What happens when nobody answers was already done. */
  escalated: z.boolean().optional(),
  /** It may be judged otherwise later by the same settings: quiet hours end, budgets come back. */
  passing: z.boolean().optional(),
  /** The brain, with its settings, that has replied or failed already: it is not asked the same again. */
  asked: z.string().optional(),
  reply: Proposal.optional(),
});
export type Autopilot = z.infer<typeof Autopilot>;
