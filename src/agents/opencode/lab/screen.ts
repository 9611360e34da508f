import type { Tmux } from "../../../lab/tmux.ts";

/** The last box with a thick left edge that stands on a `╹▀▀▀` line; its last line names agent and model. */
export function opencodeInputBox(screen: string): string | undefined {
  const lines = screen.split("\n");
  const end = lines.findLastIndex((line) => /^\s*╹▀{10,}/.test(line));
  if (end < 0) return undefined;
  const start = lines.slice(0, end).findLastIndex((line) => !/^\s*┃/.test(line)) + 1;
  const rows = lines.slice(start, end).map((line) => line.replace(/^\s*┃/, "").replace(/\s/g, ""));
  const text = rows
    .slice(
      0,
      rows.findLastIndex((row) => row !== ""),
    )
    .join("");
  return text.startsWith("Askanything") ? "" : text;
}

/** Waits until the dialog for this question is on the screen. */
export async function waitForQuestion(tmux: Tmux, text: string): Promise<string> {
  return tmux.waitFor((screen) => squeeze(screen).includes(squeeze(text)) && screen.includes("esc dismiss"));
}

export async function waitForPermission(tmux: Tmux): Promise<string> {
  return tmux.waitFor(/Permission required/);
}

/** Waits until no dialog is open and no turn runs: a prompt sent earlier becomes part of that turn. */
export async function waitForInput(tmux: Tmux): Promise<string> {
  return tmux.waitFor((screen) => opencodeInputBox(screen) !== undefined && !/esc (again to )?interrupt/.test(screen));
}

/** A long text is broken into lines, each behind an edge, sometimes with a scroll bar at its end. */
const squeeze = (text: string): string => text.replace(/[\s┃█]/g, "");
