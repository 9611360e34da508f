import type { HookReading } from "../agents/capability/reading.ts";
import type { Ask } from "../core/ask/ask.ts";
import { repeatDecision } from "../core/ask/answer/repeat-decision.ts";
import { offerCancel } from "../core/task/task-cancel.ts";
import type { Decided } from "../inbox/inbox.ts";

type Asked = HookReading & { type: "asked" };
/** The Ask of a task with which a person allowed such a call while no agent ran; it is used up then. */
export type TakeGrant = (task: string, isIt: (ask: Ask) => boolean, call: string) => Promise<Ask | undefined>;

/** The agent gets its own options back: what it is sent is made of its own call, not of these. */
export const withCancel = <A extends Asked>(reading: A, task: string | undefined): A =>
  task === undefined || reading.kind === "elicitation"
    ? reading
    : { ...reading, questions: offerCancel(reading.questions) };

/** Allowed before, when nobody could be told: it is not asked a second time. */
export async function allowedBefore(
  take: TakeGrant,
  wanted: { task: string | undefined; call: string; questions: Asked["questions"]; at: number },
  isIt: (ask: Ask) => boolean,
): Promise<Decided | undefined> {
  const { task, call, questions, at } = wanted;
  const before = task === undefined ? undefined : await take(task, isIt, call);
  const outcome = before && repeatDecision(before, questions, at);
  return outcome && { outcome };
}

/** Word for word what a person was shown: the same call in other words is asked for again. */
export function isShownAgain({ kind, questions }: Asked): (ask: Ask) => boolean {
  const shown = (each: Asked["questions"]) => JSON.stringify(each.map(({ text, title, body }) => [text, title, body]));
  return (before) => kind === "approval" && before.kind === kind && shown(before.questions) === shown(questions);
}
