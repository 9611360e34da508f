import { z } from "zod";

export const Usage = z.looseObject({
  turns: z.number().default(0),
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  costUsd: z.number().default(0),
});
export type Usage = z.infer<typeof Usage>;

/** What an agent said its session had cost when a run ended, and the tokens that stand for. */
export const Reported = z.looseObject({ costUsd: z.number(), tokens: z.number() });
export type Reported = z.infer<typeof Reported>;

/**
 * What a run used. Claude Code 2.1.325 restores the cost of a session that is resumed, 2.1.197 does not: either the tokens
 * of the runs before are in what it reports, or they are not.
 */
export function usageOfRun(own: Usage, reported: Reported, before: Reported | undefined): Usage {
  const isRestored =
    before !== undefined &&
    reported.tokens - before.tokens >= own.inputTokens + own.outputTokens &&
    reported.costUsd >= before.costUsd;
  return isRestored ? { ...own, costUsd: reported.costUsd - before.costUsd } : own;
}

export function plus(a: Usage, b: Usage): Usage {
  return {
    turns: a.turns + b.turns,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}
