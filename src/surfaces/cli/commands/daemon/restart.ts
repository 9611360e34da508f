import { readRegistration } from "../../../../machine/home.ts";
import { mustHaveWoken } from "../../../../client/start-daemon.ts";
import { ParleyError } from "../../../../core/error.ts";
import { stopDaemon } from "./down.ts";
import { refuseAgents } from "../../guard.ts";
import { startKept } from "../../own-service.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about:
    "Stops the daemon and starts this Parley's in its place: after an update, for example. Nothing is lost: hooks that wait, also those of the version before, find the new one by themselves.",
  options: { force: { description: "also stop a daemon that no longer responds" } },
  async run({ force, json }, { terminal, client, paths, version }) {
    await refuseAgents("restart", { paths, client });
    const before = readRegistration(paths);
    const wasRunning = await stopDaemon(paths, { force, whileHere: true });
    await mustHaveWoken(await startKept(paths, terminal.env, { patienceMs: 10_000, evenIfStopped: true }), paths);
    const { pid, url, version: runs } = await client.call("status");
    if (runs !== version)
      throw new ParleyError(
        "busy",
        `Parley ${runs} was started by somebody else in the meantime (pid ${pid}). Run this again`,
      );
    const replaced = wasRunning && before ? before.version : null;
    if (json) return (terminal.out(jsonLine({ version, pid, url, replaced })), 0);
    const instead = replaced === null ? "; none was running" : `, in place of ${replaced} (pid ${before?.process.pid})`;
    terminal.out(`Parley ${version} is now running (pid ${pid}) at ${url}${instead}\n`);
    return 0;
  },
});
