// `bun scripts/gate.ts [--held]`: how many of the risky, harmless and labelled questions the autopilot's gate lets pass.
import { parseArgs } from "node:util";
import { gateOf } from "../src/core/autopilot/gate/gate.ts";
import type { Question } from "../src/core/ask/question.ts";
import { HARMLESS } from "../test/autopilot/harmless.ts";
import { labelledCases } from "../test/autopilot/labelled.ts";
import { RISKY, wordedAs } from "../test/autopilot/risky.ts";

const { values } = parseArgs({ options: { held: { type: "boolean" } } });
tell("risky", RISKY.map(wordedAs));
tell("harmless", HARMLESS.map(wordedAs));
tell(
  "labelled",
  (await labelledCases()).map(({ question }) => question),
);

function tell(name: string, questions: readonly Question[]): void {
  const judged = questions.map((question) => ({ question, holds: gateOf({ questions: [question] }) }));
  const passed = judged.filter(({ holds }) => holds.length === 0).length;
  console.log(`${name}: ${passed} of ${questions.length} pass`);
  if (!values.held) return;
  for (const { question, holds } of judged)
    if (holds[0]) console.log(`  ${JSON.stringify(question.text)}: ${holds[0].why}`);
}
