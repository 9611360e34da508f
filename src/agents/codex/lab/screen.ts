import type { Tmux } from "../../../lab/tmux.ts";

const MODEL_LINE = /^\s{1,4}gpt-5\.2-codex .*· /;

/** What stands behind the last `›` above the line that names the model and the folder. */
export function codexInputBox(screen: string): string | undefined {
  const lines = screen.split("\n");
  const end = lines.findLastIndex((line) => MODEL_LINE.test(line));
  const start = lines.slice(0, Math.max(end, 0)).findLastIndex((line) => line.startsWith("›"));
  if (end < 0 || start < 0) return undefined;
  const text = lines.slice(start, end).join("").replace(/^›/, "").replace(/\s/g, "");
  return text.startsWith("AskCodex") ? "" : text;
}

/** Waits until the dialog for this question is on the screen. */
export async function waitForQuestion(tmux: Tmux, text: string): Promise<string> {
  return tmux.waitFor((screen) => squeeze(screen).includes(squeeze(text)) && screen.includes("enter to submit"));
}

export async function waitForApproval(tmux: Tmux): Promise<string> {
  return tmux.waitFor(/Would you like to (run|make)/);
}

/** Waits until no dialog is open and no turn runs: a prompt sent earlier becomes part of that turn. */
export async function waitForInput(tmux: Tmux): Promise<string> {
  return tmux.waitFor((screen) => codexInputBox(screen) !== undefined && !screen.includes("esc to interrupt"));
}

const squeeze = (text: string): string => text.replace(/\s/g, "");
