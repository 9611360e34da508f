import type { ListLayout } from "../../../list-layout.ts";

export const layout: ListLayout = {
  version: "1.0.102",
  rule: /^─{10,}$/,
  head: " Copilot needs information.",
  hint: /^(?:↑\/↓ (?:select|adjust) · )?(?:space toggle · )?enter accept ·(?: tab next ·)?(?: shift\+tab prev ·)? ctrl\+d decline · esc cancel$/,
  cursor: "❯",
  row: /^ ([❯ ]) (?:([•✓]) )?(\s*\S.*)$/,
  checked: "✓",
  ownRow: /^Other \(type your answer(?: below)?\)$/,
  ownText: /^❯(?: (.*))?$/,
  fieldRule: /^ ─{5,}$/,
  fieldText: /^ ❯(?: (.*))?$/,
  ownWords: ["Type your answer..."],
  settled: /^ ● Asked user /,
  leave: {
    top: /^╭─{10,}╮$/,
    bottom: /^╰─{10,}╯$/,
    line: /^│ (.*) │$/,
    hint: /^↑\/↓ to navigate · enter to select · esc to cancel$/,
    row: /^([❯ ]) *(\d)\. (\S.*)$/,
    empty: /^No, and tell Copilot what to do differently \(Esc to stop\)$/,
    behind: / ?\(Esc to stop\)$/,
  },
};
