import type { Outcome } from "../../ask/outcome.ts";
import type { Question } from "../../ask/question.ts";
import { safeLine } from "../../text/text.ts";
import { byActorInFull } from "./actor-words.ts";
import { denialOf } from "./denial.ts";
import { describeAnswers } from "./describe-answer.ts";

/** What was done to the question. */
export function outcomeVerb(type: Outcome["type"]): string {
  if (type === "answered-elsewhere") return "answered";
  return type === "chat" ? "“chat about this” chosen" : type;
}

const WITHDRAWN: Record<string, (agent: string) => string> = {
  "agent-exited": (agent) => `${agent} is gone`,
  "session-ended": () => "the session ended",
  "moved-on": (agent) => `${agent} continued without an answer`,
  dismissed: () => "there was nothing to answer",
  "under-sessions": (agent) => `${agent} is waiting for a prompt: parley sessions`,
  "taken-back": (agent) => `${agent} took the question back`,
};

/** Why a question went away; undefined: in no words of ours. */
export const withdrawnWhy = (reason: string, agent: string): string | undefined => WITHDRAWN[reason]?.(agent);

/** `changed to: npm test`; of a file only that it was. */
export const changedTo = ({ what, text }: NonNullable<Outcome["changed"]>): string =>
  what === "command" ? `with the command changed to: ${safeLine(text, { max: 300 })}` : "with its content changed";

/** `answered by a person (cli): SQLite`: one line of a history. */
export function outcomeWords(outcome: Outcome, questions: readonly Question[]): string {
  const { type, actor, answers, message, reason = "", lost, changed } = outcome;
  const isFirst = type === "overtaken";
  const denial = denialOf({ questions }, outcome);
  const done = denial?.verb ?? outcomeVerb(isFirst ? (safeLine(reason) as Outcome["type"]) : type);
  const verb = isFirst ? `the terminal was first: ${done}` : done;
  const said = (list: Outcome["answers"]) => safeLine(describeAnswers(questions, list ?? []), { max: 300 });
  return [
    [verb, byActorInFull(actor)].filter(Boolean).join(" "),
    denial?.words && `: ${denial.words}`,
    answers && !denial && `: ${said(answers)}`,
    changed && `, ${changedTo(changed)}`,
    message && !denial && `: ${safeLine(message, { max: 300 })}`,
    reason && !isFirst && `: ${withdrawnWhy(reason, "the agent") ?? safeLine(reason, { max: 120 })}`,
    lost?.answers && `; not taken: ${said(lost.answers)}`,
  ]
    .filter(Boolean)
    .join("");
}
