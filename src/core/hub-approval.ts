import type { Ask } from "./ask/ask.ts";

// What somebody signs, as text that is the same wherever it is made: in a browser, in the hub, on the machine that asked.

type Shown = Pick<Ask, "id" | "kind" | "origin" | "questions" | "call" | "diff">;
type Decided = { action: string; answers?: unknown; message?: string | undefined };
/** `shown` and `answer`: SHA-256 of their texts, as hex. */
export type Approval = { machine: string; ask: string; shown: string; answer: string };

/** What of an Ask a person decides on: what is asked and of whom. Not what led to it, which may come later. */
export const shownText = ({ id, kind, origin, questions, call, diff }: Shown): string =>
  canonical({ id, kind, agent: origin?.agent, project: origin?.project, questions, call, diff });

/** What was decided, whatever version of the Ask it was decided on. */
export const answerText = ({ action, answers, message }: Decided): string => canonical({ action, answers, message });

/** What is signed: its SHA-256 is the challenge of a passkey. */
export const approvalText = ({ machine, ask, shown, answer }: Approval): string =>
  `parley approval 1\n${machine}\n${ask}\n${shown}\n${answer}\n`;

/** Keys in order; what is empty is as good as missing, so that a default that somebody filled in changes nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const parts = Object.entries(value)
    .filter(([, part]) => !isEmpty(part))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`);
  return `{${parts.join(",")}}`;
}

const isEmpty = (part: unknown): boolean =>
  part === undefined || part === null || part === false || part === "" || (Array.isArray(part) && part.length === 0);
