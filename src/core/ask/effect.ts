/**
 * What picking an option of Parley's own does. Code acts on this, never on the label, whose words may change between a
 * question and its answer. Stored with each Ask: none that has landed is renamed or gets another meaning.
 */
export const EFFECTS = [
  // A call may be made or not; the task, or without one the turn, ends.
  "allow",
  "deny",
  "cancel",
  // A task whose agent stopped.
  "continue",
  "resume",
  "resume-later",
  "retry",
  "repair",
  "raise-budget",
  "done",
  "next",
  // The set-up of agents.
  "listen",
  "listen-to-none",
  "apply",
  "skip",
] as const;
export type Effect = (typeof EFFECTS)[number];
