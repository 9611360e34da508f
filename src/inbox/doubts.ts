import type { Ask, Delivery } from "../core/ask/ask.ts";
import type { Received } from "../core/receipt/received.ts";

/**
 * What else than its record says what became of a question. `turn`: the agent's own hook said that its turn is over;
 * `screen`: its dialog was on a watched screen and is gone; `isOver`: whatever became of it, it is not open any more.
 */
export type Signs = { turn?: boolean; screen?: boolean; isOver?: boolean };
export type Found = { ask: Ask; delivery: Delivery; received: Received; results: number };
/** `wait`: the record says what cannot be yet. `seen`: somebody was at the terminal. `said`: only the record says so. */
export type Verdict = "wait" | "seen" | "said";

/** So long its hooks have to say so too; they may have been killed. */
const DOUBT_MS = 30_000;

/**
 * An agent can write what it likes into its own record, also an answer to its own question. So an answer counts as a
 * person's when the agent's hook reported it, and a question whose hook still waits is not ended by the record at once.
 * Of what was asked before this daemon ran, a hook may have reported to the one before.
 */
export function createDoubts(now: () => number) {
  const since = now();
  const reports = new Set<string>();
  /** How many results there were when they could not be true, and since when; a later one is another matter. */
  const doubted = new Map<string, { results: number; at: number }>();
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
      if (!isReported && !isOver && !screen && ask.createdAt >= since) {
        const isNew = doubted.get(name)?.results !== results;
        if (isNew && isWaitedFor(ask, delivery, received)) doubted.set(name, { results, at: performance.now() });
        const doubt = doubted.get(name);
        const lasts = ask.origin.task !== undefined || performance.now() - (doubt?.at ?? 0) < DOUBT_MS;
        if (doubt?.results === results && lasts) return "wait";
      }
      if (ask.origin.sandbox) return "said";
      const isRefused = received.type === "refused" && (turn || delivery.released === "signal");
      return isReported || screen || isRefused ? "seen" : "said";
    },
  };
}

/** A hook waits, and no dialog that somebody can answer is beside it; or one is, whose answer another hook reports. */
function isWaitedFor({ kind, origin, outcome }: Ask, delivery: Delivery, received: Received): boolean {
  // Its answer may be on its way: then the record is what proves it.
  if (outcome) return false;
  if (delivery.state !== "waiting" || delivery.hold === undefined || delivery.released !== undefined) return false;
  if (origin.task !== undefined || !delivery.racing) return true;
  return kind === "question" && received.type === "answers";
}
