// How long the ladder takes for one question without a brain: reading it, finding its precedents, 500 rules, the verdict.
import { runLadder } from "../src/core/autopilot/ladder/ladder.ts";
import { keysOf } from "../src/core/autopilot/ladder/precedent.ts";
import { compileRules, Rule } from "../src/core/autopilot/rule/rule.ts";
import { subjectOf } from "../src/core/autopilot/category/subject.ts";
import type { Ask } from "../src/core/ask/ask.ts";
import type { Actor, Outcome } from "../src/core/ask/outcome.ts";
import { HARMLESS_BY_LANGUAGE } from "../test/autopilot/by-language.ts";
import { labelledCases } from "../test/autopilot/labelled.ts";
import { askOf } from "../test/sample.ts";
import { atMost, ms, p50p99, type Part, percentile } from "./row.ts";

const PRECEDENTS = 100_000;
const RULES = 500;
const ROUNDS = 40;
const LIMIT_MS = 2;
/** As many as the store hands over for one question. */
const NEWEST = 50;

export const ladder: Part = {
  name: "ladder",
  about: "a question up the ladder without a brain",
  notes: [
    `Ladder: each of the labelled questions (test/autopilot/questions.json) and harmless ones in eight more languages ${ROUNDS} times, with ${PRECEDENTS.toLocaleString("en")} answered questions and ${RULES} rules of which a third are patterns and none decides before the last; classifying, stakes, the gate, looking up precedents in memory and the verdict are all in the time.`,
  ],
  async run(say) {
    const cases = await labelledCases();
    const questions = [...cases.map(({ question }) => question), ...HARMLESS_BY_LANGUAGE];
    const asks = questions.map((question, i) => askOf({ id: `ask${i}`, questions: [question], origin: ORIGIN }));
    const known = precedentsOf(asks);
    const rules = compileRules(Array.from({ length: RULES }, (_, i) => ruleOf(i)));
    const settings = { brains: [], projectRules: true };
    say(`${asks.length} questions, ${ROUNDS} rounds`);
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const ask of asks) {
        const start = performance.now();
        const precedents = [...new Set(keysOf(ask).flatMap((key) => known.get(key) ?? []))].slice(0, NEWEST);
        runLadder(subjectOf(ask, { precedents }), rules, settings);
        // The first round compiles: a daemon does that once.
        if (round > 0) times.push(performance.now() - start);
      }
    }
    const measured = percentile(times, 0.99);
    return [
      {
        what: `ladder without brain, p99, ${PRECEDENTS.toLocaleString("en")} precedents, ${RULES} rules`,
        measured: ms(measured),
        beside: `p50 / p99: ${p50p99(times)}`,
        aim: `≤ ${LIMIT_MS} ms`,
        ...atMost(measured, LIMIT_MS),
      },
    ];
  },
};

const ORIGIN = { agent: "claude-code", project: "shop", command: "/gsd:execute-phase 3" };

function precedentsOf(asks: readonly Ask[]): Map<string, Ask[]> {
  const known = new Map<string, Ask[]>();
  for (let i = 0; i < PRECEDENTS; i++) {
    const like = asks[i % asks.length] ?? askOf();
    const actor: Actor = { type: "person", surface: "web" };
    const outcome: Outcome = { type: "answered", actor, at: i, answers: [{ picks: [0] }] };
    // Half of them are the very questions that are asked, so that there is something to weigh.
    const questions =
      i % 2 === 0 ? like.questions : like.questions.map((each) => ({ ...each, text: `${each.text} ${i}` }));
    const ask: Ask = { ...like, id: `old${i}`, questions, outcome };
    for (const key of keysOf(ask)) {
      const same = known.get(key);
      if (same) same.push(ask);
      else known.set(key, [ask]);
    }
  }
  return known;
}

function ruleOf(i: number) {
  const name = `rule ${i}`;
  if (i === RULES - 1) return Rule.parse({ name, choose: "category" });
  if (i % 3 === 0)
    return Rule.parse({ name, match: { question: `/^(which|what) .*thing ${i}( please)?$/` }, choose: "recommended" });
  if (i % 3 === 1)
    return Rule.parse({ name, match: { header: `Header ${i}`, options: ["Yes", `Label ${i}`] }, choose: "all" });
  return Rule.parse({ name, match: { question: `some text ${i}`, phase: "execute" }, choose: "affirmative" });
}
