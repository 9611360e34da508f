import type { Campaign } from "../../scripts/campaign.ts";
import { compareWithShells } from "./grant-commands.ts";

const STEP = 20_000;

export const grantCommands: Campaign = {
  title: "Generated commands beside the words that bash and zsh run",
  counts: "commands",
  usual: 1_000_000,
  page: "docs/approvals.md",
  async run({ amount, seed, until, progress }) {
    const sum = { commands: 0, decided: 0, matched: 0, wider: [] as string[] };
    while (sum.commands < amount && performance.now() < until) {
      const found = await compareWithShells(Math.min(STEP, amount - sum.commands), seed + sum.commands);
      sum.commands += found.commands;
      sum.decided += found.decided;
      sum.matched += found.matched;
      sum.wider.push(...found.wider);
      progress(`${sum.commands} commands, ${sum.wider.length} wider than shown`);
    }
    return {
      rows: [
        ["generated commands", sum.commands],
        ["decided, the rest would ask", sum.decided],
        ["matches with a pattern", sum.matched],
        ["run with other words, or matched wider than shown", sum.wider.length],
      ],
      failures: sum.wider,
      counted: sum.commands,
    };
  },
};
