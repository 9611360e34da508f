import { existsSync } from "node:fs";
import { mustHaveWoken } from "../../../../client/start-daemon.ts";
import { stoppedAt } from "../../../../machine/program/stopped.ts";
import type { AgentView } from "../../../../protocol/page.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";
import { installedService, startKept } from "../../own-service.ts";
import { offerLink } from "../../offer-link.ts";
import { defineCommand } from "../../command-line/define.ts";

const AFTER_REBOOT = "After a reboot: the first parley command or agent's hook starts it again";

export const command = defineCommand({
  about:
    "Starts the daemon in the background, also after `parley down`, and says where it is. PARLEY_HOME says where its state lives, PARLEY_PORT which loopback port it uses.",
  options: { welcome: { description: "let Parley ask, once, which agents it should listen to" } },
  async run({ welcome, json }, { terminal, client, paths, version }) {
    // In this order: of a home that cannot be looked into, what keeps it from starting is said below.
    const isStopped = existsSync(paths.stopped) && stoppedAt(paths) !== undefined;
    if (isStopped) await refuseAgents("up", { paths, client });
    const woken = await startKept(paths, terminal.env, { patienceMs: 10_000, evenIfStopped: isStopped });
    await mustHaveWoken(woken, paths);
    if (welcome) await client.call("welcome", { body: { path: terminal.env["PATH"] ?? "" } });
    const status = await client.call("status");
    if (json) return (terminal.out(jsonLine({ ...status, started: woken === "started" })), 0);
    const { bold } = terminal.style;
    terminal.out(
      [
        `${woken === "started" ? "Parley is now running" : "Parley is already running"} (pid ${status.pid}) at ${bold(String(status.url))}`,
        ...(status.version === version
          ? []
          : [`It is ${status.version}, this is ${version}. Replace it: parley restart`]),
        `State: ${paths.home}`,
        installedService(paths, process.env)?.note ?? AFTER_REBOOT,
        "",
      ].join("\n"),
    );
    const link = await offerLink(paths, terminal);
    const { agents } = await client.call("listAgents");
    const next = nextLines(status.asks.open, agents, terminal);
    terminal.out(`${[...link, "", ...next].join("\n")}\n`);
    return 0;
  },
});

/** Only what is still to be done. */
function nextLines(open: number, agents: readonly AgentView[], { style }: Terminal): string[] {
  const missing = agents.filter(({ found, setUp }) => found && !setUp).map(({ title }) => title);
  const rows: [string, string][] = [
    ["parley review", `answer what waits for you (${open} now)`],
    ["parley open", "the same in the browser"],
  ];
  if (missing.length > 0) rows.push(["parley setup", `make ${missing.join(" and ")} ask through Parley`]);
  return rows.map(([command, what], i) => `${i === 0 ? "Next:" : "     "} ${command.padEnd(15)}${style.dim(what)}`);
}
