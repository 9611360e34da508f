import { factLine, FACTS_HEADING } from "../../core/words/fact-words.ts";
import type { AskView } from "../../protocol/view.ts";
import { hang } from "./columns.ts";
import type { Page } from "./terminal.ts";

/** What Parley found out itself, each with how: apart from what the agent says. */
export function factLines({ facts = [] }: Pick<AskView, "facts">, { style, width }: Page): string[] {
  if (facts.length === 0) return [];
  const lines = facts.map(factLine).flatMap(({ text, how }) => hang("  • ", `${text} ${style.dim(`(${how})`)}`, width));
  return [FACTS_HEADING, ...lines];
}
