import { z } from "zod";
import { Answer } from "./answer/answer.ts";
import { STAGES } from "../autopilot/trust/stage.ts";
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
  /**
   * What code made of a brain's verdict. `only`: why it may only be suggested; `rests`: what it is decided by;
   * `second`: whether another brain agreed, and why not. Without one nothing of a brain goes out by itself.
   */
  verdict: z
    .looseObject({
      only: z.string().optional(),
      rests: z.string().optional(),
      second: z.looseObject({ brain: z.string(), agrees: z.boolean(), why: z.string() }).optional(),
    })
    .optional(),
});
export type Proposal = z.infer<typeof Proposal>;

/**
 * What a decider that has to earn trust would answer, shown or not: with the outcome it is a mark in the ledger of trust.
 * `question`: the template; `answers`: none where it has nothing to say yet.
 */
export const Opinion = z.looseObject({
  decider: z.string(),
  question: z.string(),
  title: z.string(),
  answers: z.array(Answer).optional(),
  stage: z.enum(STAGES),
  why: z.string(),
  /** A person saw a proposal before they answered. */
  shown: z.boolean().optional(),
  /** It may answer alone, but it was a person's turn. */
  turn: z.boolean().optional(),
});
export type Opinion = z.infer<typeof Opinion>;

/** What a person said afterwards about an answer in their place. `decider`, `question`: about this trust alone. */
export const Review = z.looseObject({
  verdict: z.enum(["agreed", "corrected", "withdrawn"]),
  at: z.number(),
  actor: Actor,
  answers: z.array(Answer).optional(),
  message: z.string().optional(),
  decider: z.string().optional(),
  question: z.string().optional(),
  /** When the agent was told of it, with what, and by which hook. */
  told: z.looseObject({ at: z.number(), to: z.string(), call: z.string().optional() }).optional(),
});
export type Review = z.infer<typeof Review>;

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
  opinions: z.array(Opinion).optional(),
  /** A person took an answer back, whatever came after. */
  takenBack: z.boolean().optional(),
});
export type Autopilot = z.infer<typeof Autopilot>;
