import { parseArgs } from "node:util";
import { refuseAgents } from "../guard.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley serve [--json]

Runs the daemon in this terminal until Ctrl-C; its log goes to stderr.
PARLEY_HOME says where its state lives, PARLEY_PORT which loopback port it uses.
`;

export const serve: Command = async (args, { terminal, client, paths, serve: run }) => {
  const { values } = parseArgs({
    args,
    options: {
      // What the program gives itself when it starts the daemon in the background.
      detached: { type: "boolean", default: false },
      "by-hand": { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const { detached, json } = values;
  const byHand = values["by-hand"] ?? !detached;
  if (byHand) await refuseAgents(detached ? "up" : "serve", { paths, client });
  const { home } = paths;
  const code = await run({
    detached,
    byHand,
    up(url) {
      if (detached) return;
      terminal.out(json ? jsonLine({ url, home, pid: process.pid }) : `Parley runs at ${url} (home: ${home})\n`);
    },
  });
  if (code !== undefined || detached) return code ?? 0;
  if (json) terminal.out(jsonLine({ already: true, home }));
  else terminal.err(`Parley already runs for ${home}. See: parley status\n`);
  return 0;
};
