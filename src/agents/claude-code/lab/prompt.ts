import { poll } from "../../../lab/poll.ts";
import type { Tmux } from "../../../lab/tmux.ts";

/** What stands in the input box (behind `>` until 2.0), without line breaks and spaces; undefined while there is no box. */
export function inputBox(screen: string): string | undefined {
  const boxes = [...screen.matchAll(/─{10,}[^\n]*\n[❯>]([^\n]*(?:\n[^─\n][^\n]*)*?)\n─{10,}/g)];
  return boxes.at(-1)?.[1]?.replace(/\s/g, "");
}

export async function waitForInputBox(tmux: Tmux, timeoutMs = tmux.patienceMs): Promise<void> {
  await tmux.waitFor((screen) => inputBox(screen) !== undefined, { timeoutMs });
}

/** Types and sends a prompt. Keys are lost while the agent is busy drawing, so each step is looked at. */
export async function sendPrompt(tmux: Tmux, text: string): Promise<void> {
  const wanted = text.replace(/\s/g, "");
  const shows = async () => inputBox(await tmux.screen()) === wanted;
  await waitForInputBox(tmux);
  await repeat(tmux, shows, async () => {
    await tmux.keys("C-u");
    await tmux.type(text);
  });
  await repeat(
    tmux,
    async () => !(await shows()),
    () => tmux.keys("Enter"),
  );
}

async function repeat(tmux: Tmux, done: () => Promise<boolean>, act: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + tmux.patienceMs; performance.now() < until;) {
    await act();
    const reached = await poll(async () => ((await done()) ? true : undefined), {
      timeoutMs: 5_000,
      failure: () => "",
    }).catch(() => false);
    if (reached) return;
  }
  throw new Error(`the input box does not take the prompt; the terminal shows:\n${await tmux.screen()}`);
}
