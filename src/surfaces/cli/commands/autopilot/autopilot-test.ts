import { shortId } from "../../../../core/id.ts";
import type { LadderStep } from "../../../../core/ask/proposal.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { Tried } from "../../../../protocol/autopilot.ts";
import { hang } from "../../../terminal/columns.ts";
import { counted } from "../../../../core/words/number.ts";
import { countIn } from "../../../terminal/counting.ts";
import type { Page, Style } from "../../../terminal/terminal.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "Your rules against the newest 200 questions: which fires, and whether you answered the same; nothing is answered. With an id one question: every step, and why.",
  options: {
    limit: { value: "N", description: "the newest N (200)" },
    project: { value: "P", description: "only this project" },
    differs: { description: "only where you answered something else" },
  },
  positionals: { id: { optional: true, of: "ask" } },
  async run({ id: ask, limit, project, differs, json }, { terminal, client }) {
    const body = {
      ...(ask !== undefined && { ask }),
      ...(limit !== undefined && { limit: countIn("--limit", limit, [1, 2000]) }),
      ...(project !== undefined && { project }),
    };
    const found = await client.call("autopilotTest", { body });
    if (json) return (terminal.out(jsonLine(found)), 0);
    const shown = differs ? found.asks.filter(({ agreement }) => agreement === "differed") : found.asks;
    terminal.out(triedLines(shown, { ...terminal, isWhole: ask !== undefined }));
    if (ask === undefined) terminal.out(summary(found.asks));
    return 0;
  },
});

/** One block for each question: who would answer what and why, and what was answered. */
function triedLines(tried: readonly Tried[], page: Page & { isWhole: boolean }): string {
  return tried.map((each) => `${lines(each, page).join("\n")}\n`).join("\n");
}

function summary(tried: readonly Tried[]): string {
  const count = (test: (each: Tried) => boolean) => tried.filter(test).length;
  const [agreed, differed] = [count(isAgreed), count(({ agreement }) => agreement === "differed")];
  const parts = [
    `${counted(tried.length, "question")}: ${count(({ next }) => next === "settle")} answered by rules`,
    `${count(({ next }) => next === "brain")} for a brain`,
    `${count(({ next }) => next === "human")} left to you`,
  ];
  const against =
    agreed + differed === 0 ? "" : `\nCompared with your answers: ${agreed} the same, ${differed} different`;
  return tried.length === 0 ? "No questions yet.\n" : `\n${parts.join(", ")}${against}\n`;
}

export function stepLines(steps: readonly LadderStep[], { width, style }: Page): string[] {
  return steps.flatMap(({ step, name, result, why }) => {
    const lead = `  ${MARKS[result] ?? "·"} ${`${step}${name === undefined ? "" : ` ${safeLine(name, { max: 40 })}`}`.padEnd(18)} `;
    return hang(lead, `${result}: ${safeLine(why, { max: 300 })}`, width, toneOf(result, style));
  });
}

const MARKS: Record<string, string> = { decided: "✓", suggested: "→", asked: "?", failed: "✗", held: "∥", passed: "·" };

function toneOf(result: string, style: Style): (text: string) => string {
  if (result === "decided") return style.green;
  return result === "failed" ? style.red : result === "passed" ? style.dim : style.yellow;
}

const isAgreed = ({ agreement }: Tried) => agreement === "agreed";

function lines(each: Tried, page: Page & { isWhole: boolean }): string[] {
  const { ask, question, decider, proposed, answered, why, next } = each;
  const { style, width } = page;
  const would =
    proposed === undefined
      ? next === "brain"
        ? `${decider ?? "a brain"} would be asked`
        : `left to you: ${why}`
      : `${decider ?? ""}: ${proposed}`;
  const did =
    answered === undefined
      ? []
      : hang(`        ${safeLine(each.by ?? "", { max: 40 })}: `, safeLine(answered, { max: 200 }), width);
  const mark = each.agreement === "differed" ? style.red(" ≠") : isAgreed(each) ? style.green(" =") : "";
  return [
    ...hang(`${style.bold(shortId(ask))}  `, safeLine(question, { max: 200 }), width),
    ...hang("        → ", `${safeLine(would, { max: 300 })}${mark}`, width),
    ...did,
    ...(page.isWhole
      ? stepLines(each.steps, page)
      : proposed === undefined
        ? []
        : hang("        ", safeLine(why, { max: 300 }), width, style.dim)),
  ];
}
