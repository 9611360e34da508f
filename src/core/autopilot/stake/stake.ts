import { z } from "zod";

export const STAKES = ["destructive", "irreversible", "money", "secrets", "publishing", "permission"] as const;
/** What nobody but a person may risk, unless a rule names it. */
export const Stake = z.enum(STAKES);
export type Stake = z.infer<typeof Stake>;

/** `unread` is a text too long to judge; no rule can name it. Which languages are judged, the gate says. */
export type FoundStake = { stake: Stake | "unread"; question: number; why: string };
