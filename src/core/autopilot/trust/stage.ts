/**
 * watching: nothing is shown · suggesting: a person accepts it or not · held: goes out unless somebody takes it back in
 * time · automatic: goes out at once.
 */
export const STAGES = ["watching", "suggesting", "held", "automatic"] as const;
export type Stage = (typeof STAGES)[number];

export const isAtLeast = (stage: Stage, least: Stage): boolean => STAGES.indexOf(stage) >= STAGES.indexOf(least);
/** It may answer without a person. */
export const isEarned = (stage: Stage): boolean => isAtLeast(stage, "held");

/** What a decider is called in the ledger: with its settings, so that a rule which was changed starts anew. */
export const deciderKey = (name: string, settings: string): string => `${name}#${settings}`;
export const deciderTitle = (key: string): string => key.replace(/#[^#]*$/, "");
/** Who repeats what the person answered before. */
export const PRECEDENT = "precedent";
/** In the place of a question: all that a rule or brain is asked in a project. */
export const ANY_QUESTION = "";
