import type { DrawnLayout } from "../../../capability/screen-layout.ts";
import { layout as later } from "../2.1.325/layout.ts";

/**
 * Draws no bar beside a long question, loses the space behind number and box where a label wraps, may write the word of its
 * last tab below it, and loses the pick under a note.
 */
export const layout: DrawnLayout = {
  ...later,
  version: "2.1.197",
  questionBar: undefined,
  form: /^←\s+(.+?)\s+✔(?: Submit)?\s+→$/,
  row: /^([❯↑↓ ]) (\d)\. ?(?:\[([ ✔])\] ?)?(\S.*)$/,
  preview: { ...later.preview, keepsPick: false },
};
