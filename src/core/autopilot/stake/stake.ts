import { z } from "zod";

export const STAKES = ["destructive", "irreversible", "money", "secrets", "publishing", "permission"] as const;
/** What nobody but a person may risk, unless a rule names it. */
export const Stake = z.enum(STAKES);
export type Stake = z.infer<typeof Stake>;

/** `unread` is a text too long, or in a script that is not judged; no rule can name it. */
export type FoundStake = { stake: Stake | "unread"; question: number; why: string };
