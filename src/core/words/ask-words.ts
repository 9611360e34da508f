import { counted } from "./number.ts";

export const NO_DETAILS = "(no details available)";
export const NOTHING_WAITS = "Nothing waits for you";
/** Said to somebody who wants to decline what Parley itself asks, or talk about it. */
export const PARLEY_ASKS = "Parley asks this itself: choose one of its options, or put it aside";
export const TERMINAL_ONLY = "Only the agent's own terminal can answer this.";

/** `2 questions wait for you`. */
export const waitingWords = (open: number): string =>
  `${counted(open, "question")} ${open === 1 ? "waits" : "wait"} for you`;
