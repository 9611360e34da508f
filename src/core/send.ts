import type { Answer } from "./answer.ts";
import type { Actor, Outcome } from "./outcome.ts";

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
  const told = provenance(outcome.actor);
  const said = outcome.message ? `: ${outcome.message}` : ".";
  return `${REFUSALS[outcome.type] ?? "The question was not answered"}${said}${told ? ` (${told})` : ""}`;
}

const REFUSALS: Partial<Record<Outcome["type"], string>> = {
  declined: "The user declined to answer this question",
  chat: "The user wants to talk about this before answering",
  cancelled: "The user cancelled this question; stop here and wait for them",
};

function provenance(actor: Actor): string | undefined {
  if (actor.type === "person") return undefined;
  const who = { agent: "another agent", rule: "a rule", brain: "a policy", system: "a policy" }[actor.type];
  return `answered by ${who}${actor.name ? ` (${actor.name})` : ""}, not by a person`;
}
