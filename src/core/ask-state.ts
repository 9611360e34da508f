import type { Ask } from "./ask.ts";

// Free of the schema library, for commands that a person waits for.

export const ASK_STATES = ["open", "settled", "delivered", "verified", "mismatched", "closed"] as const;

export const isSnoozed = ({ snoozedUntil = 0, outcome }: Ask, now: number): boolean => !outcome && snoozedUntil > now;
