import { counted } from "./number.ts";

export const NO_DETAILS = "(no details available)";
export const NOTHING_WAITS = "Nothing waits for you";
export const TERMINAL_ONLY = "Only the agent's own terminal can answer this.";

/** `2 questions wait for you`. */
export const waitingWords = (open: number): string =>
  `${counted(open, "question")} ${open === 1 ? "waits" : "wait"} for you`;
