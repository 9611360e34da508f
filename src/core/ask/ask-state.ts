import type { Outcome } from "./outcome.ts";
import type { Ask, AskState } from "./ask.ts";

// Free of the schema library, for commands that a person waits for.

/** Something may still happen to it. */
export const ACTIVE: readonly AskState[] = ["open", "settled", "delivered"];
/** Nothing more will happen to it; only such an Ask may be pruned. */
export const DONE: readonly AskState[] = ["verified", "mismatched", "closed"];
export const isDone = ({ state }: Ask): boolean => DONE.includes(state);

export const isSnoozed = ({ snoozedUntil = 0, outcome }: Ask, now: number): boolean => !outcome && snoozedUntil > now;

/** Why a hook of a task let go: its question waits on without an agent that runs. */
export const PARKED = "parked";

/** Its task starts an agent for its answer: the one that asked is gone, or was let go. */
export const goesToTask = ({ origin, deliveries }: Ask): boolean =>
  origin.task !== undefined && deliveries.every((d) => d.channel === "self" || d.released !== undefined);

/** Parley itself asks and acts: there is nobody to talk to, and nobody who would go on without an answer. */
export const isParleys = ({ deliveries }: Pick<Ask, "deliveries">): boolean =>
  deliveries.length > 0 && deliveries.every(({ channel }) => channel === "self");

/** Somebody decided that its task is over. */
export const endsTask = ({ origin, outcome }: Ask): boolean =>
  origin.task !== undefined && outcome?.type === "cancelled";

/** A person has seen it, and needs nothing of its agent. */
export const isDismissed = ({ type, reason }: Pick<Outcome, "type" | "reason">): boolean =>
  type === "withdrawn" && reason === "dismissed";

/** No agent runs for it while it waits, so the end of an agent says nothing about it. */
export const needsNoAgent = ({ origin, deliveries }: Ask): boolean =>
  origin.task !== undefined && deliveries.every((d) => d.channel === "self" || d.released === PARKED);
