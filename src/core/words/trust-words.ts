import type { Ask } from "../ask/ask.ts";
import type { Standing } from "../autopilot/trust/standing.ts";
import type { Stage } from "../autopilot/trust/stage.ts";
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

/** What an agent is told that went on with an answer its person would not have given. */
export function correctionWords({ questions }: Pick<Ask, "questions">, words: string): string {
  const asked = safeLine(questions[0]?.text ?? "", { max: 300 });
  return `A correction by your person: "${asked}" was answered in their place, and wrongly. The answer is: ${words}`;
}
