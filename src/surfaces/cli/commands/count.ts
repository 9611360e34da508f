import { parseArgs } from "node:util";
import { isUp } from "../../../client/wire.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley count [--json]

How many questions wait, as a number; nothing where Parley does not run.
For status lines:

  tmux         set -g status-right '#(parley count) %H:%M'
  Claude Code  "statusLine": {"type": "command", "command": "parley count"}
`;

/** Starts nothing: a status line must not bring back what somebody stopped. */
export const count: Command = async (args, { terminal, client, paths }) => {
  const { values } = parseArgs({ args, options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) return (terminal.out(HELP), 0);
  if (!(await isUp(paths))) return (terminal.out(values.json ? jsonLine({ open: null }) : ""), 3);
  const { open } = (await client.call("status")).asks;
  terminal.out(values.json ? jsonLine({ open }) : `${open}\n`);
  return 0;
};
