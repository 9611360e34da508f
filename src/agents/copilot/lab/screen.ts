import type { Tmux } from "../../../lab/tmux.ts";

const RULE = /^─{10,}$/;

/** What stands behind `❯` between the two rules at the bottom, above the line with the model. */
export function copilotInputBox(screen: string): string | undefined {
  const lines = screen
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  const end = lines.findLastIndex((line) => RULE.test(line));
  const start = lines.slice(0, Math.max(end, 0)).findLastIndex((line) => RULE.test(line));
  const foot = lines.slice(end + 1).join(" ");
  if (start < 0 || lines[start + 1]?.startsWith("❯") !== true || !/\S/.test(foot)) return undefined;
  return lines
    .slice(start + 1, end)
    .join("")
    .replace(/^❯/, "")
    .replace(/\s/g, "");
}

/** Waits until the dialog for this question is on the screen. */
export async function waitForQuestion(tmux: Tmux, text: string): Promise<string> {
  return tmux.waitFor((screen) => squeeze(screen).includes(squeeze(text)) && screen.includes("esc cancel"));
}

export async function waitForApproval(tmux: Tmux): Promise<string> {
  return tmux.waitFor(/Do you want to [^]*esc to cancel/);
}

/** Waits until no dialog is open and no turn runs. */
export async function waitForInput(tmux: Tmux): Promise<string> {
  return tmux.waitFor(
    (screen) => copilotInputBox(screen) !== undefined && !/esc (?:to )?(?:interrupt|cancel)/i.test(screen),
  );
}

const squeeze = (text: string): string => text.replace(/\s/g, "");
