import type { Tmux } from "../../../lab/tmux.ts";

const RULE = /^─{10,}$/;

/** What is typed, between the last two lines of the frame; none while a dialog stands in its place. */
export function piInputBox(screen: string): string | undefined {
  const lines = screen.split("\n").map((line) => line.trimEnd());
  const end = lines.findLastIndex((line) => RULE.test(line));
  const start = lines.slice(0, Math.max(0, end)).findLastIndex((line) => RULE.test(line));
  if (start < 0 || isDialog(screen)) return undefined;
  return lines
    .slice(start + 1, end)
    .map((line) => line.replaceAll(/\s/g, ""))
    .join("");
}

const isDialog = (screen: string): boolean => /enter (select|submit)\s.*cancel/i.test(screen);

/** Waits until the dialog for this question is on the screen. */
export async function waitForQuestion(tmux: Tmux, text: string): Promise<string> {
  return tmux.waitFor((screen) => isDialog(screen) && squeeze(screen).includes(squeeze(text)));
}

/** Waits until no dialog is open and no turn runs. */
export async function waitForInput(tmux: Tmux): Promise<string> {
  return tmux.waitFor((screen) => piInputBox(screen) !== undefined && !/Working\.\.\./.test(screen));
}

const squeeze = (text: string): string => text.replaceAll(/\s/g, "");
