import { poll } from "./poll.ts";
import type { Tmux } from "./tmux.ts";

/** What stands in an agent's input box, without line breaks and spaces; undefined while there is no box. */
export type InputBox = (screen: string) => string | undefined;

/** Types and sends a prompt. Keys are lost while the agent is busy drawing, so each step is looked at. */
export async function typePrompt(tmux: Tmux, text: string, inputBox: InputBox): Promise<void> {
  const wanted = text.replace(/\s/g, "");
  const shows = async () => inputBox(await tmux.screen()) === wanted;
  await tmux.waitFor((screen) => inputBox(screen) !== undefined);
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
