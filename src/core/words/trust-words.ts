import type { Ask } from "../ask/ask.ts";
import { PRECEDENT, type Stage } from "../autopilot/trust/stage.ts";
import type { MarkResult, Standing } from "../autopilot/trust/standing.ts";
import { safeLine } from "../text/text.ts";
import { counted } from "./number.ts";

/** What it does without being asked, in one word or two. */
export const STAGE_WORDS: Record<Stage, string> = {
  watching: "watches",
  suggesting: "suggests",
  held: "answers, with undo",
  automatic: "answers at once",
};

/** `3.5 of 5 equal answers in a row, in 1 session`. */
export function standingWords({ stage, score, needed, sessions, equal }: Standing): string {
  if (needed === 0) return "nothing has to be earned";
  const earned = stage === "held" || stage === "automatic";
  const where = `${earned ? "over" : "in"} ${counted(sessions, "session")}`;
  if (earned) return `${counted(equal, "equal answer")} in a row ${where}`;
  const missing = score >= needed ? "; a second session is needed" : "";
  return `${score} of ${needed} equal answers in a row${sessions === 0 ? "" : `, ${where}`}${missing}`;
}

/** What one mark of the ledger says. */
export const MARK_WORDS: Record<MarkResult, string> = {
  open: "you were asked",
  answered: "you answered",
  equal: "you answered the same",
  differed: "you answered otherwise",
  sent: "it answered",
  undone: "you took it back",
  agreed: "you agreed",
  corrected: "you corrected it",
  withdrawn: "you withdrew it",
};

/** `rule go-on`, `brain claude`, or the person themselves. */
export const deciderWords = (decider: string): string =>
  decider === PRECEDENT || decider === `rule ${PRECEDENT}` ? "your earlier answers" : decider;

const LOST: Record<string, string> = {
  differed: "you answered otherwise",
  undone: "you took an answer back",
  corrected: "you corrected an answer",
  withdrawn: "you withdrew it",
  unused: "it was not used for long",
};

/** How it lost trust the last time; empty where it never did. */
export function lostWords({ lost, lostBy }: Standing): string {
  return lost === 0 || lostBy === undefined ? "" : `${LOST[lostBy] ?? lostBy}, so it began anew`;
}

/** When an agent hears of a correction that could not be told at once. */
export const TELLS = {
  later: "its agent is told with its next answer, at the end of its turn or with its next prompt",
  turn: "its agent is told at its next turn",
  resumed: "its session has ended; its agent is told when it is resumed",
  terminal: "its agent hears nothing from outside; tell it in its own terminal",
  never: "its agent cannot be told any more",
} as const;

/** What an agent is told that went on with an answer its person would not have given. */
export function correctionWords({ questions }: Pick<Ask, "questions">, words: string): string {
  const asked = safeLine(questions[0]?.text ?? "", { max: 300 });
  return `A correction by your person: "${asked}" was answered in their place, and wrongly. The answer is: ${words}`;
}
