import type { LadderStep, Proposal } from "../../core/ask/proposal.ts";
import type { BrainConfig } from "../../core/autopilot/brain-config.ts";

type Next = { only: string } | { second: { brain: string; config: BrainConfig } } | { agreed: true };

/**
 * Whether what a brain said may go out by itself: it is only suggested, another brain is to be asked, or both agree.
 * Contract: without a verdict that code has checked, and without a second brain that is another one, it is only suggested.
 */
export function afterVerdict(
  brain: string,
  { verdict }: Pick<Proposal, "verdict">,
  brains: Readonly<Record<string, BrainConfig>>,
): Next {
  if (!verdict) return { only: `it suggests: ${brain} gave no verdict` };
  if (verdict.only !== undefined || !verdict.rests)
    return { only: `it suggests: ${verdict.only ?? "it rests on nothing"}` };
  const first = Object.hasOwn(brains, brain) ? brains[brain] : undefined;
  const name = first?.second;
  const config = name !== undefined && Object.hasOwn(brains, name) ? brains[name] : undefined;
  if (!first || name === undefined || !config)
    return { only: `it suggests: two brains have to agree, and ${brain} has no second one` };
  if (name === brain || reachedBy(first) === reachedBy(config))
    return { only: `it suggests: ${name} is the same brain as ${brain}` };
  const { second } = verdict;
  if (second?.brain !== name) return { second: { brain: name, config } };
  return second.agrees ? { agreed: true } : { only: `it suggests: ${second.why}` };
}

/** What makes a brain another one. */
const reachedBy = ({ second: _second, timeout_seconds: _limit, ...config }: BrainConfig) => JSON.stringify(config);

/** What code made of the verdict, for whoever asks why. */
export function verdictStep(brain: string, { verdict }: Pick<Proposal, "verdict">): LadderStep {
  const { only, rests, second } = verdict ?? {};
  const why = !verdict ? "it gave none" : (only ?? `by ${rests ?? "nothing"}${second ? `; ${second.why}` : ""}`);
  const isGood = verdict !== undefined && only === undefined && second?.agrees !== false;
  return { step: "verdict", name: brain, result: isGood ? "passed" : "suggested", why };
}
