import type { Ask } from "./ask.ts";
import type { Effect } from "./effect.ts";
import type { Option } from "./question.ts";

// Options were stored without effects once, and their labels said what to do. These are the labels of that time, frozen:
// whoever rewords an option changes nothing here.

type Meaning = { effect: Effect; target?: string };
type Meanings = Readonly<Record<string, Meaning>>;

const OF_TASK: Meanings = {
  "Go on": { effect: "continue" },
  Done: { effect: "done" },
  Accept: { effect: "done" },
  Resume: { effect: "resume" },
  "Wait and resume": { effect: "resume-later" },
  Retry: { effect: "retry" },
  "Allow more": { effect: "raise-budget" },
  "Send to the agent": { effect: "repair" },
  Cancel: { effect: "cancel" },
};
const OF_WELCOME: Meanings = {
  "Claude Code": { effect: "listen", target: "claude-code" },
  "None yet": { effect: "listen-to-none" },
};
const OF_INSTALL: Meanings = { Apply: { effect: "apply" }, Skip: { effect: "skip" } };

/** An Ask as it was stored, with the effects that its options have today. What an agent asked stays as it is. */
export function withEffects(ask: Ask): Ask {
  const meanings = meaningsFor(ask);
  if (!meanings) return ask;
  const isOld = ({ label, effect }: Option) => effect === undefined && Object.hasOwn(meanings, label);
  if (!ask.questions.some(({ options }) => options.some(isOld))) return ask;
  const questions = ask.questions.map((question) => ({
    ...question,
    options: question.options.map((option) => (isOld(option) ? { ...option, ...meanings[option.label] } : option)),
  }));
  return { ...ask, questions };
}

/** The same thing is allowed by both. */
export const allowsTheSame = (before: Option | undefined, now: Option | undefined): boolean =>
  before?.target === undefined ? before?.label === now?.label : before.target === now?.target;

function meaningsFor({ deliveries, origin, match = "" }: Ask): Meanings | undefined {
  if (!deliveries.some(({ channel }) => channel === "self")) return undefined;
  if (origin.task !== undefined) return OF_TASK;
  if (match === "welcome") return OF_WELCOME;
  return match.startsWith("install ") ? OF_INSTALL : undefined;
}
