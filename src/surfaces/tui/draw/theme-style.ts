import type { Theme } from "../../../dialog/theme.ts";
import type { Style } from "../../terminal/terminal.ts";

/** For lines that commands print too. */
export const styleOf = (theme: Theme): Style => ({
  bold: theme.title,
  dim: theme.muted,
  red: theme.error,
  green: theme.ok,
  yellow: theme.text,
  cyan: theme.accent,
});
