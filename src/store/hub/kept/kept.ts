import type { AuditFacts } from "../chain.ts";

/**
 * What the log has to say about a record that is kept beside it. `before`: as earlier versions noted it; null: only that it is;
 * `says`: facts of the event that tells of it.
 */
export type KeptRecord = {
  record: string;
  is: string;
  ended: boolean;
  before?: string | null;
  state?: string;
  says?: AuditFacts;
};
/** What somebody chose. `n`: the answer it stands behind; 0: it waits for another one. */
export type KeptHalf = {
  machine: string;
  ask: string;
  member: string;
  n: number;
  settlement: string;
  signed: string | null;
};

/** As the log names it. */
export const recordName = ({ machine, ask, member, n = 0 }: Name): string =>
  `half ${machine} ${ask} ${member}${n === 0 ? "" : ` ${n}`}`;
type Name = Pick<KeptHalf, "machine" | "ask" | "member"> & { n?: number };
