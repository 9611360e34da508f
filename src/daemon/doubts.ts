import type { Ask, Delivery } from "../core/ask.ts";
import type { Received } from "../core/received.ts";

/**
 * What else than its record says what became of a question. `turn`: the agent's own hook said that its turn is over;
 * `screen`: its dialog was on a watched screen and is gone; `isOver`: whatever became of it, it is not open any more.
 */
export type Signs = { turn?: boolean; screen?: boolean; isOver?: boolean };
export type Found = { ask: Ask; delivery: Delivery; received: Received; results: number };
/** `wait`: the record says what cannot be yet. `seen`: somebody was at the terminal. `said`: only the record says so. */
export type Verdict = "wait" | "seen" | "said";

/**
 * An agent can write what it likes into its own record, also an answer to its own question. So an answer counts as a
 * person's when the agent's hook reported it, and a question whose hook still waits is not ended by the record alone.
 */
export function createDoubts() {
  const reports = new Set<string>();
  /** How many results there were when they could not be true; a later one is another matter. */
  const doubted = new Map<string, number>();
  const nameOf = (ask: string, key: string) => `${ask} ${key}`;

  return {
    /** The agent's own hook said that the tool has returned. */
    reported(ask: string, key: string): void {
      reports.add(nameOf(ask, key));
    },
    judge(
      { ask, delivery, received, results }: Found,
      { turn = false, screen = false, isOver = turn }: Signs,
    ): Verdict {
      const name = nameOf(ask.id, delivery.key);
      const isReported = reports.has(name);
      if (!isReported && !isOver && !screen) {
        if (isWaitedFor(ask, delivery, received)) doubted.set(name, results);
        if (doubted.get(name) === results) return "wait";
      }
      doubted.delete(name);
      const isRefused = received.type === "refused" && (turn || delivery.released === "signal");
      return isReported || screen || isRefused ? "seen" : "said";
    },
  };
}

/** A hook waits, and no dialog that somebody can answer is beside it; or one is, whose answer another hook reports. */
function isWaitedFor({ kind, origin }: Ask, delivery: Delivery, received: Received): boolean {
  if (delivery.state !== "waiting" || delivery.hold === undefined || delivery.released !== undefined) return false;
  if (origin.task !== undefined || !delivery.racing) return true;
  return kind === "question" && received.type === "answers";
}
