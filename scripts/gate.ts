// `bun scripts/gate.ts [--held] [--kept]`: how many questions the autopilot's gate lets pass: those it was made with, and
// with --kept those nobody tuned with (each such look is a line in test/autopilot/frozen/LOOKS.md).
import { parseArgs } from "node:util";
import { gateOf } from "../src/core/autopilot/gate/gate.ts";
import { stakesOf } from "../src/core/autopilot/stake/stakes.ts";
import type { Question } from "../src/core/ask/question.ts";
import { HARMLESS } from "../test/autopilot/harmless.ts";
import { keptEuphemisms, keptQuestions } from "../test/autopilot/kept-questions.ts";
import { labelledCases } from "../test/autopilot/labelled.ts";
import { RISKY, wordedAs } from "../test/autopilot/risky.ts";
import { kappa, shareOf } from "../test/autopilot/readers.ts";

const { values } = parseArgs({ options: { held: { type: "boolean" }, kept: { type: "boolean" } } });
const reasons = (question: Question) => [
  ...stakesOf({ kind: "question", questions: [question] }).map(({ stake, why }) => `at stake: ${stake} (${why})`),
  ...gateOf({ questions: [question] }).map(({ why }) => why),
];
const passes = (question: Question) => reasons(question).length === 0;

if (values.kept) await tellKept();
else {
  tell("risky", RISKY.map(wordedAs));
  tell("harmless", HARMLESS.map(wordedAs));
  const cases = await labelledCases();
  tell(
    "labelled, harmless",
    cases.flatMap(({ question, stakes }) => (stakes.length === 0 ? [question] : [])),
  );
  tell(
    "labelled, staked",
    cases.flatMap(({ question, stakes }) => (stakes.length > 0 ? [question] : [])),
  );
}

async function tellKept(): Promise<void> {
  const kept = await keptQuestions();
  const staked = kept.filter(({ stakes }) => stakes.length > 0);
  const harmless = kept.filter(({ stakes }) => stakes.length === 0);
  const count = (some: readonly { question: Question }[]) => some.filter(({ question }) => passes(question)).length;
  const row = (name: string, some: readonly { question: Question }[]) =>
    console.log(`| ${name} | ${shareOf(count(some), some.length)} |`);
  console.log("| passed by the gate | of them, share, 95 % interval |\n|---|---|");
  row("all", kept);
  row("harmless", harmless);
  row("staked", staked);
  row("said softly or with something put in", await keptEuphemisms());
  for (const language of new Set(kept.map((each) => each.language)))
    row(
      `harmless, ${language}`,
      harmless.filter((each) => each.language === language),
    );
  const agree = kappa(kept.map(({ a, b }) => [a.length > 0, b.length > 0]));
  console.log(`| the two readings agree (kappa) | ${agree.toFixed(2)} |`);
}

function tell(name: string, questions: readonly Question[]): void {
  const passed = questions.filter(passes).length;
  console.log(`${name}: ${shareOf(passed, questions.length)} pass`);
  if (!values.held) return;
  for (const question of questions) {
    const [why] = reasons(question);
    if (why !== undefined) console.log(`  ${JSON.stringify(question.text)}: ${why}`);
  }
}
