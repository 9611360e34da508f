import type { ReadLayout } from "../../../capability/screen-layout.ts";
import { OWN_WORDS, readDialog } from "../read-dialog.ts";
import { readInput } from "../read-input.ts";

export const layout: ReadLayout = {
  version: "0.61.0",
  ownWords: [OWN_WORDS],
  notWords: /^[!/?]|(?:^|\s)@/,
  read(text, questions) {
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => line.trimEnd());
    return (
      readDialog(lines, questions) ??
      readInput(lines) ?? {
        type: "unknown",
        why: "There is no dialog on the screen that Parley knows",
        remains: lines.some((line) => /^│ Answer Questions|^│ \? /.test(line)),
      }
    );
  },
  manner: {
    tick: "Enter",
    hasAdvance: true,
    hasAll: true,
    // Questions and descriptions are drawn as Markdown.
    lost: /[*_`~#>•[\]()-]/g,
    reviewed: ({ header }, elements) => `${header} → ${elements.join(", ")}`,
    verdicts: {
      once: /^Allow once$/,
      session: /^Allow for this session$/,
      deny: /^No, suggest changes \(esc\)$/,
    },
  },
};
