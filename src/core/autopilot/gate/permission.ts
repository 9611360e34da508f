import type { Subject } from "../category/subject.ts";
import type { CompiledRule } from "../rule/rule.ts";
import { heldByGate } from "./lift.ts";

/** Why nobody but a person may answer: what is `atStake`, and what is not `harmless`. Both undefined: others may. */
export type Held = { atStake?: string; notHarmless?: string };

/**
 * The one place that says whether anything but a person may answer; `rules`: for each question the one that is about it.
 * Contract: the ladder and `parley autopilot judge` both ask here and nowhere else.
 */
export function heldForPerson(subject: Subject, rules: readonly (CompiledRule | undefined)[]): Held {
  const atStake = unnamedStakes(subject, rules);
  const notHarmless = heldByGate(subject, rules);
  return { ...(atStake !== undefined && { atStake }), ...(notHarmless !== undefined && { notHarmless }) };
}

/** The stakes that the rule for their question does not name; a project's rule can name none. */
function unnamedStakes({ stakes }: Subject, rules: readonly (CompiledRule | undefined)[]): string | undefined {
  const bare = stakes.filter(({ stake, question }) => {
    const rule = rules[question];
    if (!rule || rule.from === "project" || stake === "unread") return true;
    return rule.match.stakes?.includes(stake) !== true;
  });
  return bare.length === 0 ? undefined : bare.map(({ stake, why }) => `${stake} (${why})`).join(", ");
}
