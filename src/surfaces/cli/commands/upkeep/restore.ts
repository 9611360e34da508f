import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { startDaemon } from "../../../../client/start-daemon.ts";
import { isUp } from "../../../../client/wire.ts";
import { ParleyError } from "../../../../core/error.ts";
import type { Paths } from "../../../../machine/home.ts";
import { inWords } from "./backup.ts";
import { stopDaemon } from "../daemon/down.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about:
    "Puts a file of `parley backup` in the place of everything Parley keeps now. What is kept now stays beside it, under a name that is printed. The file is checked first; one of an older Parley is brought up to date, one of a newer Parley is refused.\n\nTokens and settings stay as they are here. Questions that agents wait for right now and that are not in the file come in again when their hooks reconnect.",
  options: { stop: { description: "stop the daemon for it if it runs, and start it again afterwards" } },
  positionals: { file: { of: "file" } },
  needs: "Give one file: parley restore FILE",
  async run({ file: name, stop, json }, { terminal, client, paths, backups }) {
    await refuseAgents("restore", { paths, client });
    const file = resolve(terminal.cwd, name);
    const { inspectBackup, restoreBackup } = await backups();
    // Before anything is stopped for it.
    await inspectBackup(paths, file);
    const isRunning = await isUp(paths);
    if (isRunning && !stop)
      throw new ParleyError(
        "busy",
        `Parley is running for ${paths.home}. Stop it first: parley down, or restore with --stop`,
      );
    const wasStopped = existsSync(paths.stopped);
    if (isRunning) await stopDaemon(paths, { force: false, whileHere: true });
    try {
      const { before, ...contents } = await restoreBackup(paths, file);
      const started = isRunning && (await startAgain(paths));
      if (json) return (terminal.out(jsonLine({ file, before: before ?? null, started, ...contents })), 0);
      terminal.out(`Restored ${inWords(contents)} from ${file}\n`);
      if (before !== undefined) terminal.out(`What was kept before: ${before}\n`);
      terminal.out(started ? "Parley is running again.\n" : "Start Parley: parley up\n");
      return 0;
    } catch (error) {
      if (isRunning) await startAgain(paths);
      throw error;
    } finally {
      // Started again it would have taken the mark away; if that failed, the next hook may try.
      if (!wasStopped) rmSync(paths.stopped, { force: true });
    }
  },
});

async function startAgain(paths: Paths): Promise<boolean> {
  return ["running", "started"].includes(await startDaemon(paths, { patienceMs: 10_000, evenIfStopped: true }));
}
