import type { ReadLayout } from "../../../capability/screen-layout.ts";
import { OWN_WORDS, readDialog } from "../read-dialog.ts";
import { readInput } from "../read-input.ts";

export const layout: ReadLayout = {
  version: "0.24.4",
  ownWords: [OWN_WORDS],
  notWords: /^[!/?#]|(?:^|\s)@/,
  read(text) {
    const lines = text
      .trimEnd()
      .split("\n")
      // A bar to scroll with, for a moment, at the right edge.
      .map((line) => line.replace(/\s+[│█]$/, "").trimEnd());
    return (
      readDialog(lines) ??
      readInput(lines) ?? {
        type: "unknown",
        why: "There is no dialog on the screen that Parley knows",
        remains: lines.some((line) => /^ {2}\S Waiting for user confirmation/.test(line)),
      }
    );
  },
  manner: {
    tick: "Space",
    hasAdvance: false,
    hasAll: false,
    // It shows the last line of them alone.
    ownWordsRoom: 14,
    reviewed: ({ header }, elements) => `${header}: ${elements.join(", ")}`,
    verdicts: {
      once: /^Yes, allow once$/,
      // Cut off on a narrow terminal; `for this user` is another row.
      project: /^(?:Always allow .+ in(?: t(?:h(?:is?(?: p[roject]*)?)?)?)?…?|Yes, allow always)$/,
      deny: /^No, suggest changes \(esc\)$/,
    },
  },
};
