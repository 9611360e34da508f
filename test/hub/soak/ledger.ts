/** Who was told what in a run: the promises that are compared with what is left. */
export type Asked = {
  machine: number;
  question: string;
  /** As the daemon acknowledged it. */
  id: string;
  /** What whoever asked was told in the end: the note of the answer, or how it ended. */
  received?: string;
  /** Somebody saw it open in a hub. */
  seen: boolean;
};
/** Somebody's answer in a hub. Each has a note of its own, which says where an answer comes from. */
export type Said = {
  ask: string;
  member: string;
  key: string;
  note: string;
  /** `acknowledged`: the hub has taken it; `second`: it named who was first; `settled`: the machine was faster; `unknown`: the
   * hub showed the question, and does not know it any more. */
  reply: "acknowledged" | "second" | "settled" | "unknown" | "none";
  first?: string;
};
/** `broken`: what could not be played. */
export type Ledger = { asked: Asked[]; said: Said[]; broken: string[] };
