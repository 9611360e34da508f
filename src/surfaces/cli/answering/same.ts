import { canonicalQuestions } from "../../../core/ask/canonical.ts";
import type { AskView } from "../../../protocol/view.ts";

/** Open asks of several agents of one project that ask the same: shown as one row, answered together if a person says so. */
export function groupSame(asks: readonly AskView[]): AskView[][] {
  const groups = new Map<string, AskView[]>();
  for (const ask of asks) {
    const name = ask.state === "open" ? sameness(ask) : ask.id;
    groups.set(name, [...(groups.get(name) ?? []), ask]);
  }
  return [...groups.values()];
}

export function sameAs(ask: AskView, asks: readonly AskView[]): AskView[] {
  return asks.filter((other) => other.id !== ask.id && other.state === "open" && sameness(other) === sameness(ask));
}

/** An approval is about one tool call, so equal ones of two agents are still two. */
function sameness({ id, kind, origin, questions }: AskView): string {
  const family = origin.family ?? origin.project;
  if (kind !== "question" || questions.length === 0 || family === undefined) return id;
  return JSON.stringify([family, canonicalQuestions(questions)]);
}
