import type { Ask, Delivery } from "../core/ask/ask.ts";

/** sent: the agent's side has it · later: nobody takes it now, somebody may · never: not this way any more. */
export type Sent = "sent" | "later" | "never";

/**
 * A way back. `core/ask/channel.ts` has the names and facts, one file here each way that hands an outcome over; fetch,
 * resume and park are taken by whoever comes for it.
 */
export type Channel = {
  readonly name: string;
  /** Is somebody there who takes this delivery, or waits for it in vain? */
  reaches(ask: Ask, delivery: Delivery): boolean;
  /** Contract: hands the outcome of a delivery over at most once; never rejects. */
  deliver(ask: Ask, delivery: Delivery): Promise<Sent>;
  /** Who waits for an Ask that has no delivery for them waits no longer. */
  letGo?(ask: Ask): void;
  /** What an earlier daemon left goes on. */
  resume?(): Promise<void>;
  stop?(): void;
};
