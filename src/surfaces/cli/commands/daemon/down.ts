import { ADDRESSES } from "../../../../protocol/address.ts";
import { callerHeaders } from "../../../../client/caller.ts";
import { isUp, send } from "../../../../client/wire.ts";
import { ParleyError } from "../../../../core/error.ts";
import { type Paths, readRegistration } from "../../../../machine/home.ts";
import { makePrivateDir } from "../../../../machine/file/private-dir.ts";
import { isAlive } from "../../../../machine/process/process.ts";
import { refuseAgents } from "../../guard.ts";
import { markStopped } from "../../../../machine/program/stopped.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

const PATIENCE_MS = 6000;

export const command = defineCommand({
  about:
    "Stops the daemon; only `parley up` or `parley serve` starts it again. Nothing is lost: waiting hooks reconnect when it is back, and agents show their own dialogs meanwhile.",
  options: { force: { description: "also stop a daemon that no longer responds" } },
  async run({ force, json }, { terminal, client, paths }) {
    await refuseAgents("down", { paths, client });
    const wasRunning = await stopDaemon(paths, { force });
    const words = wasRunning ? "Parley is stopped. Start it again: parley up" : "Parley was not running";
    terminal.out(json ? jsonLine({ stopped: wasRunning }) : `${words}\n`);
    return 0;
  },
});

type Stop = {
  force: boolean;
  /** Only as long as this process lives, which starts it again. */
  whileHere?: boolean;
};

/** Contract: afterwards no daemon runs, and nothing starts one but a person; else it throws. Answers whether one ran. */
export async function stopDaemon(paths: Paths, { force, whileHere = false }: Stop): Promise<boolean> {
  makePrivateDir(paths.home);
  // Before anything else: a daemon that is just starting looks for it, and the next hook must not start one.
  markStopped(paths, { whileHere });
  const wasRunning = await endDaemon(paths, force);
  // A daemon of an older version leaves a mark for good.
  if (whileHere) markStopped(paths, { whileHere });
  return wasRunning;
}

async function endDaemon(paths: Paths, force: boolean): Promise<boolean> {
  const registration = readRegistration(paths);
  const asked = await send(paths, {
    method: "POST",
    path: ADDRESSES.shutdown.path,
    as: "human",
    headers: callerHeaders(),
    signal: AbortSignal.timeout(3000),
  }).then(
    () => true,
    () => false,
  );
  const daemon = registration?.state === "running" && isAlive(registration.process) ? registration.process : undefined;
  if (!daemon) return asked;
  if (await gone(paths, () => !isAlive(daemon))) return true;
  if (!force)
    throw new ParleyError(
      "daemon_unreachable",
      `The daemon (pid ${daemon.pid}) is not responding. Stop it: parley down --force`,
    );
  process.kill(daemon.pid, "SIGKILL");
  await gone(paths, () => !isAlive(daemon));
  return true;
}

async function gone(paths: Paths, isGone: () => boolean): Promise<boolean> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await Bun.sleep(20))
    if (isGone() && !(await isUp(paths))) return true;
  return false;
}
