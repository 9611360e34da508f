import { parseArgs } from "node:util";
import { wakeDaemon } from "../../client/wake.ts";
import { ParleyError } from "../../core/error.ts";
import type { Command } from "./run.ts";

const HELP = `Usage: parley up [--json]

Starts the daemon in the background, also after \`parley down\`, and says where it is.
PARLEY_HOME says where its state lives, PARLEY_PORT which loopback port it uses.
`;

export const up: Command = async (args, { terminal, client, paths }) => {
  const { values } = parseArgs({ args, options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) return (terminal.out(HELP), 0);
  const woken = await wakeDaemon(paths, { patienceMs: 10_000, evenIfStopped: true });
  if (woken === "failed")
    throw new ParleyError("daemon_unreachable", `The daemon did not start. Its log: ${paths.log}`);
  const status = await client.call("status");
  if (values.json) return (terminal.out(`${JSON.stringify({ ...status, started: woken === "started" })}\n`), 0);
  const { bold, dim } = terminal.style;
  terminal.out(
    [
      `${woken === "started" ? "Parley runs now" : "Parley runs already"} (pid ${status.pid}) at ${bold(String(status.url))}`,
      `State: ${paths.home}`,
      `Command: ${paths.program} ${dim("(link it into your PATH as parley)")}`,
      "",
      `Next: parley setup claude-code   ${dim("make Claude Code ask through Parley")}`,
      `      parley ls                  ${dim(`what waits for you (${status.asks.open} now)`)}`,
      "",
    ].join("\n"),
  );
  return 0;
};
