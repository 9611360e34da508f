import { ParleyError } from "../core/error.ts";
import { bothEndsFrom } from "./file/both-ends.ts";

/** A thousand columns and rows of the longest characters. */
const SCREEN = { head: 4 * 1024 * 1024, tail: 0 };

/** What tmux prints; undefined when it says no. */
export async function tmux(server: string, ...command: string[]): Promise<string | undefined> {
  const child = Bun.spawn(["tmux", "-u", "-S", server, ...command], {
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LANG: "C.UTF-8" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [out, code] = await Promise.all([bothEndsFrom(child.stdout, SCREEN), child.exited]);
  return code === 0 ? out : undefined;
}

/** The same at once, as the person who typed this: what it changes may be their own client. */
export function tmuxAtOnce(server: string, ...command: string[]): string | undefined {
  const { exitCode, stdout } = Bun.spawnSync(["tmux", "-S", server, ...command], { stderr: "ignore" });
  return exitCode === 0 ? stdout.toString() : undefined;
}

export function assertTmux(): void {
  if (Bun.which("tmux") === null) throw new ParleyError("not_found", "There is no tmux on your PATH");
}
