import type { Answer } from "../ask/answer/answer.ts";
import type { Ask } from "../ask/ask.ts";
import type { Actor, Outcome } from "../ask/outcome.ts";

/** The answers as they go to the agent: where no person answered, the first note says so. */
export function answersToSend(outcome: Outcome): Answer[] {
  const answers = outcome.answers ?? [];
  const told = provenance(outcome.actor);
  if (told === undefined) return answers;
  return answers.map((answer, i) =>
    i === 0 ? { ...answer, note: [answer.note, told].filter(Boolean).join(" — ") } : answer,
  );
}

/** What the agent reads when nobody answered its question: said once here, compared with its record later. */
export function refusalToSend(outcome: Outcome): string {
  const told = outcome.type === "expired" ? undefined : provenance(outcome.actor);
  const said = outcome.message ? `: ${outcome.message}` : ".";
  return `${REFUSALS[outcome.type] ?? "The question was not answered"}${said}${told ? ` (${told})` : ""}`;
}

/** What a settled approval or plan means for the tool call. */
export type ToolDecision =
  | { allow: true; pick: number; note?: string }
  | { allow: false; message: string; interrupt: boolean };

export function decisionToSend(ask: Pick<Ask, "kind" | "questions">, outcome: Outcome): ToolDecision {
  const [answer] = outcome.answers ?? [];
  const [pick = -1] = answer?.picks ?? [];
  const option = ask.questions[0]?.options[pick];
  const { effect } = option ?? {};
  if (outcome.type === "answered" && effect === "allow")
    return { allow: true, pick, ...(option?.takesNote && answer?.note !== undefined && { note: answer.note }) };
  const words = answer?.note ?? answer?.text ?? outcome.message;
  // An interrupt stops the turn at once, and the agent's record then holds Esc's own words: a message would be lost.
  if (outcome.type === "cancelled" || effect === "cancel")
    return {
      allow: false,
      message: refusalToSend({ ...outcome, type: "cancelled", message: words }),
      interrupt: words === undefined,
    };
  if (outcome.type === "chat") return { allow: false, message: refusalToSend(outcome), interrupt: false };
  // No user said it: nobody came in time.
  if (outcome.actor.type === "system" && words !== undefined)
    return { allow: false, message: `${words}.`, interrupt: false };
  const said = ask.kind === "plan" ? "The user wants the plan revised" : "The user does not allow this";
  return { allow: false, message: words === undefined ? `${said}.` : `${said}: ${words}`, interrupt: false };
}

/** Somebody allowed the call or the plan, here or in the agent's own dialog. */
export function isAllowed({ questions, outcome }: Pick<Ask, "questions" | "outcome">): boolean {
  if (outcome?.type !== "answered" && outcome?.type !== "answered-elsewhere") return false;
  return questions[0]?.options[outcome.answers?.[0]?.picks[0] ?? -1]?.effect === "allow";
}

/** Stands with an answer told to a resumed session, so that the receipt is found in its record. */
export const keptMark = ({ id }: Pick<Ask, "id">): string => `${KEPT_MARK}${id}]`;
export const KEPT_MARK = "[parley ";

const REFUSALS: Partial<Record<Outcome["type"], string>> = {
  declined: "The user declined to answer this question",
  chat: "The user wants to talk about this before answering",
  expired: "Nobody answered this question in time",
  cancelled: "The user cancelled this question; stop here and wait for them",
};

function provenance(actor: Actor): string | undefined {
  if (actor.type === "person") return undefined;
  const who = { agent: "another agent", rule: "a rule", brain: "a policy", system: "a policy" }[actor.type];
  return `answered by ${who}${actor.name ? ` (${actor.name})` : ""}, not by a person`;
}
