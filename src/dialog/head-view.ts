import { here } from "../core/form/state.ts";
import type { DialogState } from "./dialog-state.ts";
import type { Theme } from "./theme.ts";
import { wrapped } from "./wrap.ts";

/** What there is to read before answering. `from` is where the question itself begins. */
export function headLines(
  { form }: DialogState,
  { context, theme }: { context: string; theme: Theme },
  width: number,
  airy: boolean,
): { lines: string[]; from: number } {
  const { question } = here(form);
  const said = wrapped(context, width).map(theme.muted);
  const asked = wrapped(question?.text ?? "", width).map(theme.question);
  const body = wrapped(question?.body ?? "", width);
  const isDiff = body.some((line) => line.startsWith("@@ "));
  const gap = airy ? [""] : [];
  const before = said.length > 0 ? [...said, ...gap] : [];
  const after = body.length > 0 ? [...gap, ...body.map((line) => (isDiff ? diffLine(line, theme) : line))] : [];
  return { lines: [...before, ...asked, ...after], from: before.length };
}

function diffLine(line: string, theme: Theme): string {
  if (line.startsWith("+")) return theme.ok(line);
  if (line.startsWith("-")) return theme.error(line);
  return line.startsWith("@@") ? theme.muted(line) : line;
}
