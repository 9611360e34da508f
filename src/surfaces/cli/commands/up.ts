import { existsSync } from "node:fs";
import { mustHaveWoken, startDaemon } from "../../../client/start-daemon.ts";
import { stoppedAt } from "../../../machine/stopped.ts";
import { refuseAgents } from "../guard.ts";
import { jsonLine } from "../json.ts";
import { defineCommand } from "../command-line/define.ts";

export const command = defineCommand({
  about:
    "Starts the daemon in the background, also after `parley down`, and says where it is. PARLEY_HOME says where its state lives, PARLEY_PORT which loopback port it uses.",
  options: { welcome: { description: "let Parley ask, once, which agents it should listen to" } },
  async run({ welcome, json }, { terminal, client, paths, version }) {
    // In this order: of a home that cannot be looked into, what keeps it from starting is said below.
    const isStopped = existsSync(paths.stopped) && stoppedAt(paths) !== undefined;
    if (isStopped) await refuseAgents("up", { paths, client });
    const woken = await startDaemon(paths, { patienceMs: 10_000, evenIfStopped: isStopped });
    mustHaveWoken(woken, paths);
    if (welcome) await client.call("welcome");
    const status = await client.call("status");
    if (json) return (terminal.out(jsonLine({ ...status, started: woken === "started" })), 0);
    const { bold, dim } = terminal.style;
    terminal.out(
      [
        `${woken === "started" ? "Parley is now running" : "Parley is already running"} (pid ${status.pid}) at ${bold(String(status.url))}`,
        ...(status.version === version
          ? []
          : [`It is ${status.version}, this is ${version}. Replace it: parley restart`]),
        `State: ${paths.home}`,
        `Command: ${paths.program} ${dim("(link it into your PATH as parley)")}`,
        "",
        `Next: parley review              ${dim(`answer what waits for you (${status.asks.open} now)`)}`,
        `      parley open                ${dim("the same in the browser")}`,
        `      parley setup claude-code   ${dim("make Claude Code ask through Parley")}`,
        "",
      ].join("\n"),
    );
    return 0;
  },
});
