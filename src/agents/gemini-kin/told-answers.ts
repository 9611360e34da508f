import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { decodeChoice, encodeChoice } from "../../core/receipt/compare.ts";
import type { ReceivedChoice } from "../../core/receipt/received.ts";
import { answersToSend, refusalToSend } from "../../core/receipt/send.ts";

/**
 * These agents take no answer from a hook, only a refusal with a reason. In hold mode the answer is that reason, and says
 * so; each line names its question, so that the record can be read back.
 */
const HEAD = "The user has answered through Parley. This is their answer, not an error; do not ask again.";

/** What the model reads in hold mode. */
export function toldOutcome({ questions }: Ask, outcome: Outcome): string {
  if (outcome.type !== "answered") return refusalToSend(outcome);
  const said = answersToSend(outcome);
  const lines = questions.flatMap((question, i) => {
    const answer = said[i] ?? { picks: [] };
    const note = answer.note === undefined ? [] : [`${NOTE}${JSON.stringify(answer.note)}`];
    return [lineOf(question, i) + JSON.stringify(encodeChoice(question, answer, "quoted")), ...note];
  });
  return [HEAD, ...lines].join("\n");
}

const NOTE = "   Note from the user: ";
const lineOf = ({ text }: Question, i: number) => `${i + 1}. ${JSON.stringify(text)}: `;

/** The answers in such a text. Undefined: it is none of ours. */
export function toldChoices(text: string, questions: readonly Question[]): (ReceivedChoice | undefined)[] | undefined {
  const at = text.indexOf(HEAD);
  if (at < 0) return undefined;
  const lines = text.slice(at).split("\n");
  return questions.map((question, i) => {
    const start = lineOf(question, i);
    const line = lines.findIndex((each) => each.startsWith(start));
    const raw = line < 0 ? undefined : stringIn(lines[line]?.slice(start.length));
    const below = lines[line + 1];
    const note = below?.startsWith(NOTE) ? stringIn(below.slice(NOTE.length)) : undefined;
    return raw === undefined ? undefined : { ...decodeChoice(question, raw), raw, ...(note !== undefined && { note }) };
  });
}

function stringIn(json: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
