import { here } from "../core/form/state.ts";
import { diffLineKind, isDiff } from "../core/text/diff-lines.ts";
import type { Fact } from "../core/fact/fact.ts";
import { factLine, FACTS_HEADING } from "../core/words/fact-words.ts";
import type { DialogState } from "./dialog-state.ts";
import { markdownWrapped, paintsOf } from "./markdown.ts";
import type { Theme } from "./theme.ts";
import { wrapped } from "./wrap.ts";

/** What there is to read before answering. `from` is where the question itself begins. */
export function headLines(
  { form }: DialogState,
  { context, facts, isProse, theme }: { context: string; facts: readonly Fact[]; isProse: boolean; theme: Theme },
  width: number,
  airy: boolean,
): { lines: string[]; from: number } {
  const { question } = here(form);
  const said = markdownWrapped(context, width, paintsOf(theme, theme.muted));
  const asked = markdownWrapped(question?.text ?? "", width, paintsOf(theme, theme.question));
  const body = bodyLines(question?.body ?? "", isProse, width, theme);
  const gap = airy ? [""] : [];
  const before = said.length > 0 ? [...said, ...gap] : [];
  const after = body.length > 0 ? [...gap, ...body] : [];
  const found = factLines(facts, width, theme);
  const beside = found.length > 0 ? [...gap, ...found] : [];
  return { lines: [...before, ...asked, ...after, ...beside], from: before.length };
}

/** To the letter: a name of a file is no markdown. */
function factLines(facts: readonly Fact[], width: number, theme: Theme): string[] {
  if (facts.length === 0) return [];
  const lines = facts.map(factLine).flatMap(({ text, how }) => {
    const [first = "", ...more] = wrapped(`${text} (${how})`, Math.max(2, width - 2));
    return [`• ${first}`, ...more.map((line) => `  ${line}`)];
  });
  return [theme.muted(FACTS_HEADING), ...lines];
}

/** A plan is prose; anything else is a command, a change or data, shown to the letter. */
function bodyLines(body: string, isProse: boolean, width: number, theme: Theme): string[] {
  if (isProse) return markdownWrapped(body, width, paintsOf(theme, theme.text));
  const lines = wrapped(body, width);
  if (!isDiff(body, true)) return lines;
  const paints = { added: theme.ok, removed: theme.error, place: theme.muted };
  return lines.map((line) => {
    const kind = diffLineKind(line);
    return kind ? paints[kind](line) : line;
  });
}
