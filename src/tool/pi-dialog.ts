import { createDialog, type Dialog, type DialogEnd } from "../dialog/dialog.ts";
import type { OpenEnd } from "../dialog/open-dialog.ts";
import { type Theme, themeFor } from "../dialog/theme.ts";
import type { ShowDialog } from "./dialog-ref.ts";

/** The part of pi's user interface that is used here (seen in 0.73.1). */
export type PiTheme = {
  fg(color: string, text: string): string;
  bold(text: string): string;
  inverse(text: string): string;
};
type PiTui = { terminal: { columns: number; rows: number }; requestRender(): void };
type Draw<T> = (tui: PiTui, theme: PiTheme, keybindings: unknown, done: (end: T) => void) => Dialog;
export type PiUi = {
  custom<T>(draw: Draw<T>): Promise<T | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
};

/** What pi keeps for itself below the dialog, and a line of the conversation above. */
const PI_ROWS = 6;

/** The dialog in the place of pi's editor, in pi's colours. */
export function showInPi(ui: PiUi): ShowDialog {
  return async ({ questions, prefill, signal }) => {
    let dialog: Dialog | undefined;
    let close = () => {};
    const closed = new Promise<OpenEnd>((resolve) => {
      close = () => resolve({ type: "aborted", draft: dialog?.draft() ?? { current: 0, entries: [] } });
    });
    signal.addEventListener("abort", close, { once: true });
    const drawn = ui.custom<DialogEnd | undefined>((tui, theme, _keybindings, done) => {
      void closed.then(() => done(undefined));
      dialog = createDialog({
        questions,
        ...(prefill && { prefill }),
        theme: themeFrom(theme),
        size: () => ({ columns: tui.terminal.columns, rows: Math.max(8, tui.terminal.rows - PI_ROWS) }),
        now: () => performance.now(),
        repaint: () => tui.requestRender(),
        onEnd: done,
      });
      return dialog;
    });
    if (signal.aborted) close();
    try {
      return (await drawn) ?? (close(), await closed);
    } finally {
      signal.removeEventListener("abort", close);
    }
  };
}

function themeFrom(theme: PiTheme): Theme {
  const paint = (color: string) => (text: string) => theme.fg(color, text);
  const strong = (text: string) => theme.bold(theme.fg("accent", text));
  return {
    ...themeFor({ color: false, scheme: "dark" }),
    title: strong,
    text: paint("text"),
    muted: paint("muted"),
    selected: strong,
    ok: paint("success"),
    error: paint("error"),
    border: paint("border"),
    accent: paint("accent"),
    cursor: (text) => theme.inverse(text),
  };
}
