import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { Share } from "../../../../core/wilson.ts";
import { clock } from "../../../../core/words/time.ts";
import { deciderWords } from "../../../../core/words/trust-words.ts";
import type { Replay } from "../../../../protocol/trust.ts";
import { countIn } from "../../../terminal/counting.ts";
import { hang } from "../../../terminal/columns.ts";
import type { Page } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "What you answered, in the order of time, as if the autopilot had been on with the settings of now: how much it would have answered, and how often as you did. Nothing is answered and no brain is asked.",
  options: {
    limit: { value: "N", description: "the newest N (5000)" },
    project: { value: "P", description: "only this project" },
  },
  async run({ limit, project, json }, { terminal, client }) {
    const body = {
      ...(limit !== undefined && { limit: countIn("--limit", limit, [1, 20_000]) }),
      ...(project !== undefined && { project }),
    };
    const found = await client.call("autopilotReplay", { body });
    terminal.out(json ? jsonLine(found) : replayLines(found, terminal));
    return 0;
  },
});

function replayLines(found: Replay, page: Page): string {
  const { questions, since = 0, until = 0, answered, agreed, staked, suggested, asked, held, deciders } = found;
  if (questions === 0) return "You have answered no question yet.\n";
  const facts: [string, string][] = [
    ["Questions", `${questions} that you answered, ${clock(since).slice(0, 10)} to ${clock(until).slice(0, 10)}`],
    ["Answered", shareWords(answered)],
    ["As you did", answered.count === 0 ? "nothing to compare" : shareWords(agreed)],
    ["At stake", `${staked} of them${staked === 0 ? "" : " (a rule of yours names it)"}`],
    ["Asked anyway", String(asked)],
    ["Suggested", String(suggested)],
    ["Only for you", `${held} (not plainly harmless)`],
    ...deciders.map(({ decider, answered: n, agreed: same }): [string, string] => [
      safeLine(deciderWords(decider), { max: 40 }),
      `${n} answered, ${same} as you did`,
    ]),
  ];
  const table = facts.map(([name, value]) => `${`${name}:`.padEnd(17)}${value}\n`).join("");
  const others = found.differed.flatMap((each) => differedLines(each, page));
  return `${table}${others.length === 0 ? "" : `\nAnswered otherwise than you did:\n${others.join("\n")}\n`}`;
}

/** `14 of 200 (7 %; 4–11 % at 95 %)`. */
function shareWords({ count, of, low, high }: Share): string {
  const percent = (share: number) => Math.round(share * 100);
  const bounds = `${percent(low)}–${percent(high)} %`;
  return `${count} of ${of} (${of === 0 ? 0 : percent(count / of)} %; ${bounds} at 95 %)`;
}

function differedLines(each: Replay["differed"][number], { width, style }: Page): string[] {
  const lead = `${style.bold(shortId(each.ask))}  `;
  const detail = `${deciderWords(each.decider)}: "${each.proposed}", you: "${each.answered}"`;
  return [
    ...hang(lead, safeLine(each.question, { max: 200 }), width),
    ...hang("        ", safeLine(detail, { max: 300 }), width, style.dim),
  ];
}
