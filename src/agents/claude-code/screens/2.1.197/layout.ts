import type { Layout } from "../../../screen-layout.ts";
import { layout as later } from "../2.1.325/layout.ts";

/** Draws no bar beside a long question, loses the space behind the number of a long label, and the pick under a note. */
export const layout: Layout = {
  ...later,
  version: "2.1.197",
  questionBar: undefined,
  row: /^([❯↑↓ ]) (\d)\. ?(?:\[([ ✔])\] )?(\S.*)$/,
  preview: { ...later.preview, keepsPick: false },
};
