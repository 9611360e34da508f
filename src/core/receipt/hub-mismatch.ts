import type { Ask } from "../ask/ask.ts";
import { mismatchesOf } from "./mismatch.ts";

type Decided = Ask & { agentTitle: string; intent?: { state: string } | undefined };

/** Who has not come back in a week does not remember what they answered. */
const WORTH_MS = 7 * 86_400_000;

/** What this member of a hub decided there and the agent received otherwise; one text for each place in the agent. */
export function hubMismatchesOf(ask: Decided, me: string | undefined, now: number): string[] {
  const { state, intent, outcome, updatedAt } = ask;
  if (me === undefined || state !== "mismatched" || intent?.state !== "received" || now - updatedAt > WORTH_MS)
    return [];
  const actor = outcome?.actor;
  const isTheirs = actor?.["member"] === me || (actor?.members?.some(({ id }) => id === me) ?? false);
  if (actor?.surface !== "hub") return [];
  return isTheirs ? mismatchesOf(ask, ask.agentTitle) : [];
}
