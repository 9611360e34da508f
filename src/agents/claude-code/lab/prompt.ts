import type { Tmux } from "../../../lab/tmux.ts";
import { typePrompt } from "../../../lab/type-prompt.ts";

/** Behind `>` until 2.0. */
export function inputBox(screen: string): string | undefined {
  const boxes = [...screen.matchAll(/─{10,}[^\n]*\n[❯>]([^\n]*(?:\n[^─\n][^\n]*)*?)\n─{10,}/g)];
  return boxes.at(-1)?.[1]?.replace(/\s/g, "");
}

export async function waitForInputBox(tmux: Tmux, timeoutMs = tmux.patienceMs): Promise<void> {
  await tmux.waitFor((screen) => inputBox(screen) !== undefined, { timeoutMs });
}

export const sendPrompt = (tmux: Tmux, text: string): Promise<void> => typePrompt(tmux, text, inputBox);
