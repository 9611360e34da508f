import { COMMAND, holds, type Program } from "./program.ts";

/** A command on a pseudo-terminal that somebody types on. */
export function typing(program: Program, args: string[], env: Record<string, string> = {}) {
  const decoder = new TextDecoder();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let text = "";
  const child = Bun.spawn([...COMMAND, ...args], {
    cwd: program.user,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
      NO_COLOR: "1",
      ...env,
    },
    terminal: {
      cols: 100,
      rows: 40,
      data: (_, bytes) => void (text += decoder.decode(bytes, { stream: true })),
      exit: () => resolve(),
    },
  });
  const screen = () => text.replaceAll("\r\n", "\n");
  return {
    child,
    screen,
    /** Waits for `prompt` behind what was there before, then types. Answers what came up to then. */
    async type(prompt: string, keys: string): Promise<string> {
      const seen = await this.shows(prompt);
      text = "";
      child.terminal?.write(keys);
      return seen;
    },
    async shows(words: string): Promise<string> {
      if (!(await holds(() => screen().includes(words)))) throw new Error(`"${words}" does not come: ${screen()}`);
      return screen();
    },
    async ended(): Promise<{ code: number; text: string }> {
      const code = await child.exited;
      await closed;
      return { code, text: screen() };
    },
  };
}
