import type { Stage } from "./stage.ts";

const LOST_MS = 10_000;

/** Shift+Tab until the status line says so. */
export async function switchTo({ claude: { tmux } }: Stage, mode: string): Promise<void> {
  const shown = (screen: string) =>
    /(accept edits|plan mode|auto mode|bypass permissions) on[^\n]*\n*$/.exec(screen.trimEnd())?.[1] ?? "";
  for (let turn = 0; turn < 20; turn++) {
    const before = shown(await tmux.screen());
    if (before === mode) return;
    await tmux.keys("BTab");
    // A key may be lost: then the next turn presses it again.
    await tmux.waitFor((screen) => shown(screen) !== before, { timeoutMs: LOST_MS }).catch(() => undefined);
  }
  throw new Error(`no such mode: ${await tmux.screen()}`);
}
