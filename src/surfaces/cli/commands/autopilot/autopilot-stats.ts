import { safeLine } from "../../../../core/text/text.ts";
import type { Stat } from "../../../../protocol/autopilot.ts";
import type { Page } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about: "How often you did what each rule and brain proposed.",
  async run({ json }, { terminal, client }) {
    const found = await client.call("autopilotStats");
    terminal.out(json ? jsonLine(found) : statsTable(found.stats, terminal));
    return 0;
  },
});

/** `agreed` of what people decided themselves; what went out by itself says nothing about agreement. */
function statsTable(stats: readonly Stat[], { style }: Page): string {
  const deciders = [...new Set(stats.map(({ decider }) => decider))];
  if (deciders.length === 0) return "Nothing proposed yet.\n";
  const width = Math.max(...deciders.map((decider) => decider.length), "who".length);
  const of = (decider: string, result: Stat["result"]) =>
    stats.find((stat) => stat.decider === decider && stat.result === result)?.count ?? 0;
  const row = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(10)).join("")}\n`;
  const rows = deciders.map((decider) => {
    const [agreed, differed] = [of(decider, "agreed"), of(decider, "differed")];
    const share = agreed + differed === 0 ? "–" : `${Math.round((100 * agreed) / (agreed + differed))} %`;
    return row(safeLine(decider, { max: 60 }), [
      agreed,
      differed,
      share,
      of(decider, "sent"),
      of(decider, "open") + of(decider, "ended"),
    ]);
  });
  return `${style.bold(row("who", ["agreed", "differed", "share", "sent", "neither"]))}${rows.join("")}`;
}
