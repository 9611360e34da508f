import { safeText } from "../../core/text/text.ts";
import type { AskView } from "../../protocol/view.ts";
import { hang } from "./columns.ts";
import { patchColour } from "./patch-colour.ts";
import type { Page } from "./terminal.ts";

/** What a person made of a call before they allowed it, as a difference. */
export function changedLines({ outcome }: Pick<AskView, "outcome">, { style, width }: Page): string[] {
  const { changed } = outcome ?? {};
  if (!changed) return [];
  const lines = safeText(changed.diff, { max: 4000 }).split("\n");
  return [
    `The ${changed.what} was changed before it was allowed:`,
    ...lines.flatMap((line) => hang("  ", line, width, patchColour(line, style))),
  ];
}
