import { titleOf } from "../agents/agents.ts";
import { mismatchesOf } from "../core/receipt/mismatch.ts";
import { isSame } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Store } from "../store/store.ts";

const MOST_RECENT = 50;

/**
 * What brains answered in this session and the agent received otherwise. Told with each further question until a brain
 * has put it right, which only words can do: picking an option says nothing about an earlier one. `conversation`: where
 * this brain decided the last of them.
 */
export async function correctionsFor(
  { origin: { session }, createdAt }: Ask,
  brain: string,
  store: Store,
): Promise<{ corrections: string[]; conversation?: string }> {
  if (session === undefined) return { corrections: [] };
  const recent = await store.list({ session, order: "newest", limit: MOST_RECENT });
  // What a brain writes is only suggested: who takes it puts it right for the brain.
  const byBrain = recent.filter((ask) => ask.createdAt < createdAt && (isByBrain(ask) || isTaken(ask)));
  const sinceRight = byBrain.findIndex((ask) => ask.state !== "mismatched" && isInWords(ask));
  const open = sinceRight < 0 ? byBrain : byBrain.slice(0, sinceRight);
  const wrong = open.filter(({ state }) => state === "mismatched");
  const corrections = wrong.flatMap((ask) => mismatchesOf(ask, titleOf(ask.origin.agent)));
  const conversation = wrong.find(({ outcome }) => outcome?.actor.name === brain)?.outcome?.actor.conversation;
  return { corrections, ...(conversation !== undefined && { conversation }) };
}

const isByBrain = ({ outcome }: Ask) => outcome?.actor.type === "brain";
const isTaken = ({ outcome, autopilot }: Ask) =>
  outcome !== undefined && autopilot?.proposal?.by.type === "brain" && isSame(outcome, autopilot.proposal);
const isInWords = ({ outcome }: Ask) =>
  outcome?.type === "chat" || (outcome?.answers ?? []).some(({ text }) => text !== undefined);
