import { COMMAND, type Program } from "./program.ts";

export type Screen = { code: number; text: string };
type Options = {
  columns?: number;
  env?: Record<string, string>;
  /** A shell script around the command, which is `"$@"`. */
  script?: string;
};

/** Runs a command on a pseudo-terminal of its own; `text` is all that reached it. */
export async function onTerminal(
  program: Program,
  args: string[],
  { columns = 80, env = {}, script = 'exec "$@"' }: Options = {},
): Promise<Screen> {
  const decoder = new TextDecoder();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let text = "";
  const child = Bun.spawn(["sh", "-c", script, "sh", ...COMMAND, ...args], {
    cwd: program.user,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
      ...env,
    },
    terminal: {
      cols: columns,
      rows: 24,
      data: (_, bytes) => void (text += decoder.decode(bytes, { stream: true })),
      exit: () => resolve(),
    },
  });
  const code = await child.exited;
  await closed;
  return { code, text: text.replaceAll("\r\n", "\n") };
}

/** What the command line itself may write on a terminal; any other escape is somebody else's. */
export const withoutColours = (text: string) => text.replaceAll(/\u001b\[(?:0|1|2|31|32|33|36)m/g, "");
