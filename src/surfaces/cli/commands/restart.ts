import { parseArgs } from "node:util";
import { mustHaveWoken, startDaemon } from "../../../client/start-daemon.ts";
import { ParleyError } from "../../../core/error.ts";
import { readRegistration } from "../../../machine/registration.ts";
import { stopDaemon } from "./down.ts";
import { refuseAgents } from "../guard.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley restart [--force] [--json]

Stops the daemon and starts this Parley's in its place: after an update, for
example. Nothing is lost: hooks that wait, also those of the version before,
find the new one by themselves.

  --force   also end a daemon that does not answer any more
`;

export const restart: Command = async (args, { terminal, client, paths, version }) => {
  const { values } = parseArgs({
    args,
    options: { force: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  await refuseAgents("restart", { paths, client });
  const before = readRegistration(paths);
  const wasRunning = await stopDaemon(paths, { force: values.force ?? false, whileHere: true });
  mustHaveWoken(await startDaemon(paths, { patienceMs: 10_000, evenIfStopped: true }), paths);
  const { pid, url, version: runs } = await client.call("status");
  if (runs !== version)
    throw new ParleyError("busy", `Parley ${runs} was started by somebody else meanwhile (pid ${pid}). Run it again`);
  const replaced = wasRunning && before ? before.version : null;
  if (values.json) return (terminal.out(jsonLine({ version, pid, url, replaced })), 0);
  const instead = replaced === null ? "; none ran before" : `, in place of ${replaced} (pid ${before?.process.pid})`;
  terminal.out(`Parley ${version} runs now (pid ${pid}) at ${url}${instead}\n`);
  return 0;
};
