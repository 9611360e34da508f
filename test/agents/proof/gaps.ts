import type { Gaps } from "../../../scripts/proof.ts";

const ONE_PICK = "its questions take one option each";
const NO_QUESTIONS = "over ACP opencode asks no questions, only for leave: the cases below are tried with that";
const NO_WORDS = "denied, and nothing ran; a refusal carries no words in this protocol: they stay with Parley";
/** Cells in which there is nothing to try, or not all of it, and why. */
export const GAPS: Gaps = {
  codex: { multi: ONE_PICK },
  "acp-claude": { deny: NO_WORDS },
  "acp-codex": { multi: ONE_PICK, deny: NO_WORDS },
  "acp-qwen": { deny: NO_WORDS },
  "acp-opencode": {
    deny: NO_WORDS,
    ...Object.fromEntries(["single", "multi", "several", "own", "hostile"].map((name) => [name, NO_QUESTIONS])),
  },
  copilot: {
    always:
      "its dialog's rows for the session are not offered: by keys Parley answers *yes* and *no* alone; a grant of Parley's own stands for it ([copilot.md](copilot.md))",
  },
  pi: {
    multi: `${ONE_PICK}: \`ctx.ui.select\` knows no other; Parley's own tool for pi does ([tool.md](tool.md))`,
    several: "its dialogs ask one thing at a time; Parley's own tool for pi asks several ([tool.md](tool.md))",
    always: "pi asks for no leave itself: an extension's gate says yes or no, and knows no always",
  },
};
