import { parseArgs } from "node:util";
import { isUp } from "../../client/wire.ts";
import { isStale, readRegistration } from "../../machine/registration.ts";
import { duration } from "../../core/sentence.ts";
import type { Command } from "./run.ts";

const HELP = `Usage: parley status [--json]

Says whether the daemon runs, where, and how many questions wait. Starts nothing.
Exit code 3 when it is not running.
`;

export const status: Command = async (args, { terminal, client, paths }) => {
  const { values } = parseArgs({ args, options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) return (terminal.out(HELP), 0);
  const { bold, dim, yellow } = terminal.style;
  if (!(await isUp(paths))) {
    const registration = readRegistration(paths);
    const why =
      registration?.state === "stopped"
        ? "stopped on purpose"
        : registration && isStale(registration)
          ? "it was killed"
          : "not started";
    const notRunning = { running: false, reason: why, home: paths.home };
    terminal.out(
      values.json ? `${JSON.stringify(notRunning)}\n` : `Parley is not running (${why}). Start it: parley up\n`,
    );
    return 3;
  }
  const now = await client.call("status");
  if (values.json) return (terminal.out(`${JSON.stringify({ running: true, ...now })}\n`), 0);
  const { open, undelivered } = now.asks;
  const kept = undelivered > 0 ? ` · ${undelivered} answered, not yet taken by the agent` : "";
  terminal.out(
    [
      `${open > 0 ? yellow(bold(waiting(open))) : waiting(open)}${kept}`,
      dim(
        `Parley ${now.version} · pid ${now.pid} · ${now.url} · up ${duration(Date.now() - now.startedAt)} · ${now.sessions} live sessions`,
      ),
      dim(`Home: ${now.home}`),
      "",
    ].join("\n"),
  );
  return 0;
};

const waiting = (count: number) =>
  count === 0
    ? "Nothing waits for you"
    : `${count} question${count === 1 ? "" : "s"} wait${count === 1 ? "s" : ""} for you`;
