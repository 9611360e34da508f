import type { DrawnLayout } from "../../agents/capability/screen-layout.ts";
import { columnOf, splitAt } from "./columns.ts";
import { squeeze } from "./squeeze.ts";

type Notes = { open: boolean; text: string };

/** Options stand left; right of them the preview in a box, and below it the notes. */
export function splitPreview(
  lines: readonly string[],
  { preview }: DrawnLayout,
): { list: string[]; notes: Notes } | undefined {
  const column = columnOf(lines[0] ?? "", preview.corner);
  if (column === undefined) return undefined;
  const halves = lines.map((line) => splitAt(line, column));
  const bottom = halves.findLastIndex(([, right]) => right.startsWith(preview.bottom));
  const right = halves.slice(bottom + 1).map(([, half]) => half.trim());
  const notes = notesIn(right.filter((line) => line !== "").join(" "), preview);
  if (bottom < 0 || !notes) return undefined;
  return { list: halves.map(([left]) => left.trimEnd()), notes };
}

function notesIn(drawn: string, { notes, closed, open }: DrawnLayout["preview"]): Notes | undefined {
  if (!notes.test(drawn)) return undefined;
  const text = drawn.replace(notes, "").trim();
  if (squeeze(text) === squeeze(closed)) return { open: false, text: "" };
  return { open: true, text: squeeze(text) === squeeze(open) ? "" : text };
}
