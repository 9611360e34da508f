import { tallyOf, type Tally } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import { keysOf } from "../core/autopilot/ladder/precedent.ts";
import { marksOf, type TrustKey, type TrustMark } from "../core/autopilot/trust/marks.ts";

/** What the autopilot finds an answered question by. */
export type Precedent = { project: string; keys: readonly string[]; at: number };

/** The autopilot's part in an Ask, as it is counted: `at` and `session` are of its first part in it. */
export type TallyRow = Tally & { at: number; session?: string };

/** Undefined: only what a person chose is a precedent. */
export function precedentOf(ask: Ask): Precedent | undefined {
  const { outcome, origin } = ask;
  if (!outcome?.answers || outcome.actor.type !== "person" || origin.project === undefined) return undefined;
  return { project: origin.project, keys: keysOf(ask), at: outcome.at };
}

/** What was once spent stays spent, whatever the autopilot withdraws later. */
export function nextTally(ask: Ask, before: (ask: string) => TallyRow | undefined): TallyRow | undefined {
  const tally = tallyOf(ask);
  if (!tally) return undefined;
  const { session } = ask.origin;
  const first = before(ask.id) ?? { at: ask.updatedAt, ...(session !== undefined && { session }), spent: false };
  return { ...first, ...tally, spent: tally.spent || first.spent };
}

/** The Asks of these, newest first, each once. */
export function newestOf(found: readonly { ask: string; at: number }[], limit: number): string[] {
  const times = new Map(found.map(({ ask, at }) => [ask, at]));
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([ask]) => ask);
}

/** Undefined: what it adds to the ledger of trust is as it was, which is nothing. */
export const nextMarks = (ask: Ask): TrustMark[] | undefined => (ask.autopilot?.opinions ? marksOf(ask) : undefined);

export const isOfKey = (mark: TrustMark, { project, decider, question }: TrustKey): boolean =>
  mark.project === project && mark.decider === decider && mark.question === question;
