import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import type { Command } from "./run.ts";

const HELP = `Usage: parley prune [--days N] [--json]

Removes questions that were settled more than N days ago (90), with their history.
Open ones are never removed.
`;

export const prune: Command = async (args, { terminal, client }) => {
  const { values } = parseArgs({
    args,
    options: {
      days: { type: "string", default: "90" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const days = Number(values.days);
  if (!(days >= 0)) throw new ParleyError("usage", `--days: a number is needed, not "${values.days}"`);
  const { removed } = await client.call("prune", { body: { days } });
  terminal.out(
    values.json
      ? `${JSON.stringify({ removed })}\n`
      : `Removed ${removed} settled question${removed === 1 ? "" : "s"}.\n`,
  );
  return 0;
};
