import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { SendError } from "../messenger.ts";
import type { Note } from "../note.ts";
import { runTool } from "./tool.ts";

/** Rings the terminal the agent runs in. tmux passes it on and marks the window. */
export async function ringBell(
  pane: Note["pane"],
  env: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<void> {
  if (!pane || !/^%\d+$/.test(pane.id)) throw new SendError("the agent's terminal is not known", { again: false });
  const format = ["display-message", "-p", "-t", pane.id, "#{pane_tty}"];
  const tty = await runTool(["tmux", "-S", pane.server, ...format], env, signal);
  try {
    const fd = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isCharacterDevice()) throw new Error("not a terminal");
      writeSync(fd, "\x07");
    } finally {
      closeSync(fd);
    }
  } catch {
    throw new SendError("the agent's terminal cannot be written to", { again: false });
  }
}
