import { safeLine } from "../text/text.ts";
import { counted } from "./number.ts";

export type DigestCounts = {
  project: string;
  answered: number;
  suggested: number;
  left: number;
  mismatched: number;
  undone: number;
};

/** Nobody reads more of them on a phone. */
const MOST = 20;

/** `12 answers in your place, 3 questions wait for you`. */
export function digestTitle(projects: readonly DigestCounts[], waiting: number): string {
  const answered = projects.reduce((sum, each) => sum + each.answered, 0);
  const wait = `${counted(waiting, "question")} ${waiting === 1 ? "waits" : "wait"} for you`;
  const parts = [answered > 0 && `${counted(answered, "answer")} in your place`, waiting > 0 && wait].filter(Boolean);
  return parts.join(", ") || "your digest";
}

/** A line for each project. */
export function digestLines(projects: readonly DigestCounts[]): string[] {
  const lines = projects.slice(0, MOST).map(({ project, answered, suggested, left, mismatched, undone }) => {
    const parts = [
      [answered, "answered"],
      [mismatched, "received otherwise"],
      [suggested, "suggested"],
      [left, "left to you"],
      [undone, "taken back by you"],
    ].flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
    return `${safeLine(project, { max: 60 })}: ${parts.join(", ")}`;
  });
  const more = projects.length - MOST;
  return more > 0 ? [...lines, `and ${counted(more, "more project")}`] : lines;
}
