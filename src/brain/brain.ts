import type { Ask } from "../core/ask/ask.ts";
import type { Category } from "../core/autopilot/category/category-name.ts";
import type { Phase } from "../core/autopilot/rule/phase.ts";
import type { Problem } from "../core/error.ts";
import type { Settlement } from "../core/ask/settle.ts";
import type { Precedent } from "../core/autopilot/verdict/check-verdict.ts";
import type { Screening, Source } from "../core/autopilot/verdict/verdict.ts";

/** A file of the project that a decision is checked against. */
export type Document = { name: string; text: string; /** There is more of it. */ cut: boolean };

export type Conversation = { id: string; continues: boolean };

/** Everything a brain is told. */
export type BrainRequest = {
  ask: Ask;
  /** One for each question. */
  categories?: readonly Category[] | undefined;
  phase?: Phase | undefined;
  documents: readonly Document[];
  /** What the person answered to the same question before. */
  precedents?: readonly Precedent[] | undefined;
  /** What the agent said last. */
  said?: string | undefined;
  /** Where it is asked; `continues`: it was asked there before, and knows of it. */
  conversation?: Conversation | undefined;
  /** It is asked whether a person is needed, not yet for an answer. */
  isScreening?: true | undefined;
  /** It is not asked, but told what became of its decision. */
  mismatch?: string | undefined;
  /** Earlier answers that did not arrive as they were meant. */
  corrections?: readonly string[] | undefined;
};

/** What it answered. `sentBack`: what was wrong with its first reply; `sources`: what it rests on, one for each question. */
export type BrainAnswer = {
  settlement: Settlement;
  reason: string;
  sources: Source[];
  confidence?: number;
  sentBack?: readonly Problem[];
  /** Where it was asked. */
  conversation?: string;
};
/** `screening`: what it said before it answered. Where it said that a person is needed it was not asked for an answer. */
export type BrainReply = (BrainAnswer & { screening: Screening }) | { needsPerson: string };

/** Decides instead of a person. Contract: what it answers fits the questions; everything else is a BrainError. */
export type Brain = (request: BrainRequest, signal: AbortSignal) => Promise<BrainReply>;

/** stopped: nobody wants its answer any more. */
type BrainFailure = "time" | "unreachable" | "junk" | "setup" | "stopped";

/** Contract: the message says nothing that is secret and nothing that somebody else wrote. */
export class BrainError extends Error {
  readonly failure: BrainFailure;
  readonly problems: readonly Problem[];

  constructor(failure: BrainFailure, message: string, problems: readonly Problem[] = []) {
    super(message);
    this.name = "BrainError";
    this.failure = failure;
    this.problems = problems;
  }
}
