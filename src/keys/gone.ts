import { cursorRow, type Screen } from "./screen.ts";

/** The dialog is closed: none is there, or another one. */
export function isGone(after: Screen, before: Screen): boolean {
  if (after.type === "prompt") return true;
  if (after.type === "unknown") return !after.remains;
  if (before.type === "approval")
    return after.type !== "approval" || after.about !== before.about || after.shown !== before.shown;
  if (after.type === "approval") return true;
  if (after.type !== "question" || before.type !== "question") return false;
  if (after.text !== before.text) return true;
  // The same question asked again stands below what came of the first one, with its cursor on the first row.
  const [first] = after.rows;
  return after.settled > before.settled && first?.number === 1 && first === cursorRow(after.rows);
}
