import { type LineLoad, newLoad } from "./told.ts";

/** What a hub knows of one connection of a machine. */
export type LinkData = {
  token: string;
  /** From where, as far as a trusted proxy or the line itself says. */
  address: string;
  link: string;
  /** It is not a stranger's any more, or it is over. */
  free: () => void;
  machine?: string;
  /** The database does not know it: nothing of it is there. */
  isNobody?: true;
  told: number;
  /** Which intents were asked back on this line. */
  asked: Set<number>;
  canWithdraw: boolean;
  /** Up to where it was told of work; undefined: it has not said on this line that it takes any. */
  tasks?: number;
  /** What it was told last of keys and demands. */
  trust?: string;
  load: LineLoad;
  turn: Promise<void>;
  /** It is being ended from here: what it has said behind that is not heard, or what is missing would not come again. */
  isOver?: true;
};

export const newLine = (given: Pick<LinkData, "token" | "address" | "free" | "canWithdraw">): LinkData => ({
  ...given,
  link: crypto.randomUUID(),
  told: 0,
  asked: new Set(),
  load: newLoad(),
  turn: Promise.resolve(),
});
