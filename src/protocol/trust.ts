import { z } from "zod";
import { Answer } from "../core/ask/answer/answer.ts";
import { STAGES } from "../core/autopilot/trust/stage.ts";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { AskView } from "./view.ts";

const Surface = z.string().max(40).default("api");

/** How far a decider is trusted with a question, or with all of its questions (then `question` is empty), in a project. */
export const TrustView = z.looseObject({
  id: z.string(),
  project: z.string(),
  decider: z.string(),
  question: z.string(),
  stage: z.enum(STAGES),
  /** How it was earned, or what is missing; how it was lost the last time. */
  why: z.string(),
  lost: z.string(),
  score: z.number(),
  needed: z.number(),
  equal: z.number(),
  sessions: z.number(),
  since: z.number().optional(),
  usedAt: z.number().optional(),
  /** What it rests on, newest first. */
  marks: z.array(z.looseObject({ at: z.number(), ask: z.string(), result: z.string(), shown: z.boolean().optional() })),
});
export type TrustView = z.infer<typeof TrustView>;

/** What was answered in a person's place, and what was not, since a time. */
export const Digest = z.looseObject({
  since: z.number(),
  now: z.number(),
  /** For how long agents would have waited until their person came back, in milliseconds. */
  savedMs: z.number(),
  projects: z.array(
    z.looseObject({
      project: z.string(),
      answered: z.array(AskView),
      suggested: z.array(AskView),
      left: z.array(AskView),
      mismatched: z.array(AskView),
      undone: z.array(AskView),
      savedMs: z.number(),
    }),
  ),
});
export type Digest = z.infer<typeof Digest>;

const Share = z.looseObject({ count: z.number(), of: z.number(), low: z.number(), high: z.number() });

/** The log in time order through the settings of now. `low`, `high`: where the true share lies, at 95 %. */
export const Replay = z.looseObject({
  questions: z.number(),
  since: z.number().optional(),
  until: z.number().optional(),
  answered: Share,
  agreed: Share,
  /** Answered although something is at stake. */
  staked: z.number(),
  suggested: z.number(),
  asked: z.number(),
  held: z.number(),
  deciders: z.array(z.looseObject({ decider: z.string(), answered: z.number(), agreed: z.number() })),
  differed: z.array(
    z.looseObject({
      ask: z.string(),
      question: z.string(),
      decider: z.string(),
      proposed: z.string(),
      answered: z.string(),
    }),
  ),
});
export type Replay = z.infer<typeof Replay>;

export const TRUST_ENDPOINTS = {
  earnedTrust: {
    ...ADDRESSES.earnedTrust,
    needs: "human",
    about: "How far each rule, brain and precedent is trusted, by project and question, and how that was earned",
    query: z.object({ project: z.string().max(200).optional() }),
    result: z.looseObject({ trust: z.array(TrustView) }),
  },
  withdrawTrust: {
    ...ADDRESSES.withdrawTrust,
    needs: "human",
    about: "Trust it no more: it begins anew, and twice as hard",
    body: z.strictObject({ id: z.string().max(80), surface: Surface }),
    result: TrustView,
  },
  reviewAsk: {
    ...ADDRESSES.reviewAsk,
    needs: "human",
    about: "Agree with what was answered in your place, correct it, or withdraw the trust it rests on",
    body: z.strictObject({
      verdict: z.enum(["agreed", "corrected", "withdrawn"]),
      answers: z.array(Answer).max(50).optional(),
      message: z.string().trim().max(10_000).optional(),
      surface: Surface,
    }),
    /** `told`: the agent was told of a correction; `tells`: when it will be, where it can. */
    result: z.looseObject({
      ask: AskView,
      told: z.boolean(),
      tells: z.enum(["later", "turn", "resumed", "terminal", "never"]),
    }),
  },
  digest: {
    ...ADDRESSES.digest,
    needs: "human",
    about: "What was answered in your place since a time, by project",
    query: z.object({ since: z.coerce.number().min(0) }),
    result: Digest,
  },
  autopilotReplay: {
    ...ADDRESSES.autopilotReplay,
    needs: "human",
    about:
      "Your own answers in time order through the settings of now: how much would have been answered, and how well",
    body: z.strictObject({
      limit: z.number().int().min(1).max(20_000).default(5000),
      project: z.string().max(200).optional(),
    }),
    result: Replay,
  },
} as const satisfies Record<string, Endpoint>;
