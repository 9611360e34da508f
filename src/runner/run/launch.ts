import { selfCommand } from "../../machine/self-command.ts";
import type { RunFolder } from "./run-folder.ts";

/** Starts the process that runs the agent; it belongs to nobody and outlives the daemon. */
export function launch(home: string, folder: RunFolder): void {
  const child = Bun.spawn([...selfCommand(), "task-run", folder.path], {
    cwd: home,
    env: { PATH: process.env["PATH"] ?? "", PARLEY_HOME: home },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
}
