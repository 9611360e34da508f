// `bun scripts/categories.ts [file] [--misses]`: what the classifier makes of the labelled questions, as a confusion table.
import { parseArgs } from "node:util";
import { CATEGORIES } from "../src/core/autopilot/category/category-name.ts";
import { classify } from "../src/core/autopilot/category/category.ts";
import { stakesOf } from "../src/core/autopilot/stake/stakes.ts";
import { agreement, type Case, labelledCases } from "../test/autopilot/labelled.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { misses: { type: "boolean" } } });
const cases = await labelledCases(positionals[0]);
const heldOut = cases.filter(({ isHeldOut }) => isHeldOut);
const seen = cases.filter(({ isHeldOut }) => !isHeldOut);

console.log(table(cases));
console.log(
  `\n${cases.length} questions, ${percent(cases)} as labelled; its words were written with them, on questions of others it is about 65 %.`,
);
if (heldOut.length > 0)
  console.log(`Held out: ${heldOut.length}, ${percent(heldOut)}. Looked at: ${seen.length}, ${percent(seen)}.`);
console.log(bySource());
const risky = cases.filter(({ question }) => stakesOf({ kind: "question", questions: [question] }).length > 0);
console.log(`${risky.length} of them have something at stake.`);
if (values.misses) for (const each of seen) tellMiss(each);

/** Rows are the labels, columns what the classifier says. */
function table(all: readonly Case[]): string {
  const said = all.map(({ question, category }) => ({ label: category, found: classify(question).category }));
  const head = ["labelled \\ found", ...CATEGORIES, "right"];
  const rows = CATEGORIES.map((label) => {
    const own = said.filter((each) => each.label === label);
    const cells = CATEGORIES.map((found) => own.filter((each) => each.found === found).length);
    const right = own.filter((each) => each.found === label).length;
    return [label, ...cells.map((n) => (n === 0 ? "" : String(n))), `${right}/${own.length}`];
  });
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function bySource(): string {
  const sources = [...new Set(cases.map(({ from }) => from))];
  return sources.map((name) => `${name} ${percent(cases.filter(({ from }) => from === name))}`).join(" · ");
}

function percent(all: readonly Case[]): string {
  return `${(100 * agreement(all)).toFixed(1)} %`;
}

function tellMiss({ question, category }: Case): void {
  const found = classify(question);
  if (found.category === category) return;
  const labels = question.options.map(({ label }) => label).join(" / ");
  console.log(
    `\n${category}, but ${found.category} (${found.why})\n  ${question.header}: ${question.text}\n  ${labels}`,
  );
}
