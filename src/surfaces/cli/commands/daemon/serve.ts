import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about:
    "Runs the daemon in this terminal until Ctrl-C; its log goes to stderr. PARLEY_HOME says where its state lives, PARLEY_PORT which loopback port it uses.",
  options: {
    // What the program gives itself when it starts the daemon in the background.
    detached: { hidden: true, description: "in the background" },
    "by-hand": { hidden: true, description: "a person started it" },
  },
  async run({ detached, json, "by-hand": isTyped }, { terminal, client, paths, serve: run }) {
    const byHand = isTyped || !detached;
    if (byHand) await refuseAgents(detached ? "up" : "serve", { paths, client });
    const { home } = paths;
    const code = await run({
      detached,
      byHand,
      up(url) {
        if (detached) return;
        terminal.out(
          json ? jsonLine({ url, home, pid: process.pid }) : `Parley is running at ${url} (home: ${home})\n`,
        );
      },
    });
    if (code !== undefined || detached) return code ?? 0;
    if (json) terminal.out(jsonLine({ already: true, home }));
    else terminal.err(`Parley is already running for ${home}. See: parley status\n`);
    return 0;
  },
});
