import { parseArgs } from "node:util";
import { counted } from "../../../core/words/number.ts";
import { countIn } from "../../terminal/counting.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley prune [--days N] [--json]

Removes questions that were settled more than N days ago (90), with their
history. Open ones, and answers that wait for their agent, are never removed.
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
  const days = countIn("--days", values.days, [0, 36_500]);
  const { removed } = await client.call("prune", { body: { days } });
  terminal.out(values.json ? jsonLine({ removed }) : `Removed ${counted(removed, "settled question")}.\n`);
  return 0;
};
