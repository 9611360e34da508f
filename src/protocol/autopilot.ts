import { z } from "zod";
import { AGREEMENTS } from "../core/ask/answer/agreement.ts";
import { MODES } from "../core/config/autopilot.ts";
import { LadderStep, Proposal } from "../core/ask/proposal.ts";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { AskView } from "./view.ts";

/** `session`: the agent session the caller runs inside, if any: such a caller is no person. */
const By = z.strictObject({
  surface: z.string().max(40).default("api"),
  session: z.string().max(200).optional(),
});

export const AutopilotStatus = z.looseObject({
  mode: z.enum(MODES),
  projects: z.record(z.string(), z.enum(MODES)),
  /** Of the directory asked about. */
  here: z.looseObject({
    mode: z.enum(MODES),
    rules: z.number(),
    projectRules: z.number(),
    trusted: z.boolean(),
    notice: z.string().optional(),
  }),
  brains: z.array(z.string()),
  brain: z.string(),
  undoSeconds: z.number(),
  /** Equal answers in a row: to one question, to all of a rule or brain; how often a person is asked anyway. */
  trust: z.looseObject({ perQuestion: z.number(), perRule: z.number(), askEvery: z.number(), days: z.number() }),
  quiet: z.looseObject({ hours: z.string(), now: z.boolean() }),
  budget: z.looseObject({ perSession: z.number(), perHour: z.number(), lastHour: z.number() }),
  escalation: z.looseObject({ afterSeconds: z.number(), policy: z.string() }),
  /** Since when; sessions by their id. */
  paused: z.looseObject({ all: z.number().optional(), sessions: z.record(z.string(), z.number()) }),
  asks: z.looseObject({ asking: z.number(), held: z.number(), suggested: z.number() }),
});
export type AutopilotStatus = z.infer<typeof AutopilotStatus>;

/** What the ladder says about one Ask with the rules of now. */
export const Tried = z.looseObject({
  ask: z.string(),
  createdAt: z.number(),
  project: z.string().optional(),
  question: z.string(),
  next: z.enum(["settle", "brain", "human"]),
  decider: z.string().optional(),
  why: z.string(),
  steps: z.array(LadderStep),
  proposal: Proposal.optional(),
  /** Both as a person reads them. */
  proposed: z.string().optional(),
  answered: z.string().optional(),
  /** Who answered: `you`, or which rule, brain or part of Parley. */
  by: z.string().optional(),
  agreement: z.enum(AGREEMENTS).optional(),
});
export type Tried = z.infer<typeof Tried>;

export const Stat = z.looseObject({ decider: z.string(), result: z.enum(AGREEMENTS), count: z.number() });
export type Stat = z.infer<typeof Stat>;

/**
 * The own settings file of the project a folder belongs to. `text`: all of it as it is now, `before`: as it was when it was
 * trusted; `notice`: what a person should know, and do.
 */
export const Trust = z.looseObject({
  file: z.string(),
  state: z.enum(["none", "trusted", "changed", "untrusted", "link"]),
  rules: z.number(),
  digest: z.string().optional(),
  text: z.string().optional(),
  before: z.string().optional(),
  notice: z.string().optional(),
});
export type Trust = z.infer<typeof Trust>;

export const AUTOPILOT_ENDPOINTS = {
  acceptProposal: {
    ...ADDRESSES.acceptProposal,
    needs: "human",
    about: "Take what the autopilot proposes as your answer",
    body: By,
    result: AskView,
  },
  undoAutopilot: {
    ...ADDRESSES.undoAutopilot,
    needs: "human",
    about: "Take back what the autopilot is about to answer; then only a person answers it",
    body: By,
    result: AskView,
  },
  autopilot: {
    ...ADDRESSES.autopilot,
    needs: "human",
    about: "What the autopilot may do, and what it is doing; `cwd` for a project",
    query: z.object({ cwd: z.string().max(4096).optional() }),
    result: AutopilotStatus,
  },
  autopilotPause: {
    ...ADDRESSES.autopilotPause,
    needs: "human",
    about: "Pause or resume the autopilot, everywhere or for one session; holds at once and after a restart",
    body: z.strictObject({
      paused: z.boolean(),
      session: z.string().max(200).optional(),
      /** The agent session the caller runs inside, if any: such a caller may pause, but not resume. */
      inside: z.string().max(200).optional(),
    }),
    result: z.looseObject({
      all: z.number().optional(),
      sessions: z.record(z.string(), z.number()),
      session: z.string().optional(),
    }),
  },
  getTrust: {
    ...ADDRESSES.getTrust,
    needs: "human",
    about: "Whether the settings file of a project is trusted as it is; its rules act only then",
    query: z.object({ folder: z.string().max(4096) }),
    result: Trust,
  },
  setTrust: {
    ...ADDRESSES.setTrust,
    needs: "human",
    about: "Trust the settings file of a project, if it still has this SHA-256 digest; null: trust it no more",
    body: z.strictObject({
      folder: z.string().max(4096),
      digest: z.string().max(64).nullable(),
    }),
    result: Trust,
  },
  autopilotStats: {
    ...ADDRESSES.autopilotStats,
    needs: "human",
    about: "How often people did what each rule and brain proposed",
    result: z.looseObject({ stats: z.array(Stat) }),
  },
  autopilotTest: {
    ...ADDRESSES.autopilotTest,
    needs: "human",
    about:
      "What the rules of now say about one Ask, or about the newest ones; nothing is answered and no brain is asked",
    body: z.strictObject({
      ask: z.string().max(80).optional(),
      limit: z.number().int().min(1).max(2000).default(200),
      project: z.string().optional(),
    }),
    result: z.looseObject({ asks: z.array(Tried) }),
  },
} as const satisfies Record<string, Endpoint>;
