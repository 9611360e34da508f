import { here } from "../core/form/state.ts";
import { diffLineKind, isDiff } from "../core/text/diff-lines.ts";
import type { DialogState } from "./dialog-state.ts";
import { markdownWrapped, paintsOf } from "./markdown.ts";
import type { Theme } from "./theme.ts";
import { wrapped } from "./wrap.ts";

/** What there is to read before answering. `from` is where the question itself begins. */
export function headLines(
  { form }: DialogState,
  { context, isProse, theme }: { context: string; isProse: boolean; theme: Theme },
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
  return { lines: [...before, ...asked, ...after], from: before.length };
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
