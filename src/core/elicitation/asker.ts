import type { Ask } from "../ask/ask.ts";

/** What its `match` begins with: the program behind the agent's call that wants to know something. */
export const askerOf = ({ match = "" }: Pick<Ask, "match">): string => match.slice(0, match.indexOf(" ")) || match;

export const elicitationMatch = (asker: string, digest: string): string => `${asker} ${digest}`;
