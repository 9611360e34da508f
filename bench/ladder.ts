// How long the ladder takes for one question without a brain: finding its precedents in the store, reading it, 500 rules, the verdict.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runLadder } from "../src/core/autopilot/ladder/ladder.ts";
import { keysOf } from "../src/core/autopilot/ladder/precedent.ts";
import { compileRules, Rule } from "../src/core/autopilot/rule/rule.ts";
import { subjectOf } from "../src/core/autopilot/category/subject.ts";
import type { Ask } from "../src/core/ask/ask.ts";
import type { AskEvent } from "../src/core/ask/event.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import type { Store } from "../src/store/store.ts";
import { HARMLESS_BY_LANGUAGE } from "../test/autopilot/by-language.ts";
import { labelledCases } from "../test/autopilot/labelled.ts";
import { askOf } from "../test/sample.ts";
import { atMost, ms, p50p99, type Part, percentile } from "./row.ts";

const PRECEDENTS = 100_000;
const BATCH = 5000;
const RULES = 500;
const ROUNDS = 40;
const LIMIT_MS = 2;
/** As many as the autopilot asks the store for. */
const NEWEST = 50;

export const ladder: Part = {
  name: "ladder",
  about: "a question up the ladder without a brain",
  notes: [
    `Ladder: each of the labelled questions (test/autopilot/questions.json) and harmless ones in eight more languages ${ROUNDS} times, with ${PRECEDENTS.toLocaleString("en")} answered questions in the daemon's own database and ${RULES} rules of which a third are patterns and every ninth a template, and none decides before the last. Looking up precedents, classifying, stakes, the gate, templates and the verdict are all in the time. Quietest round: the p99 of that round of the ${ROUNDS} in which it was least, so that what else the machine did meanwhile is told apart from what the ladder costs.`,
  ],
  async run(say) {
    const cases = await labelledCases();
    const questions = [...cases.map(({ question }) => question), ...HARMLESS_BY_LANGUAGE];
    const asks = questions.map((question, i) => askOf({ id: `ask${i}`, questions: [question], origin: ORIGIN }));
    const rules = compileRules(Array.from({ length: RULES }, (_, i) => ruleOf(i)));
    const settings = { brains: [], projectRules: true };
    const folder = mkdtempSync(join(tmpdir(), "parley-bench-ladder-"));
    const store = openSqlite(join(folder, "parley.db"));
    try {
      say(`${PRECEDENTS.toLocaleString("en")} answered questions`);
      await answerMany(store, asks);
      say(`${asks.length} questions, ${ROUNDS} rounds`);
      const rounds: Round[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const taken: Round = { lookup: [], whole: [] };
        for (const ask of asks) {
          const start = performance.now();
          const precedents = await store.precedents(ORIGIN.project, keysOf(ask), NEWEST);
          taken.lookup.push(performance.now() - start);
          runLadder(subjectOf(ask, { precedents }), rules, settings);
          taken.whole.push(performance.now() - start);
        }
        // The first round compiles: a daemon does that once.
        if (round > 0) rounds.push(taken);
      }
      return rowsOf(rounds);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type Round = { lookup: number[]; whole: number[] };

function rowsOf(rounds: readonly Round[]) {
  const all = rounds.flatMap(({ whole }) => whole);
  const quietest = Math.min(...rounds.map(({ whole }) => percentile(whole, 0.99)));
  const p99 = percentile(all, 0.99);
  const what = `ladder without brain, ${PRECEDENTS.toLocaleString("en")} precedents in SQLite, ${RULES} rules`;
  const lookup = `looking up precedents alone, p50 / p99: ${p50p99(rounds.flatMap((round) => round.lookup))}`;
  return [
    {
      what: `${what}, p99`,
      measured: ms(p99),
      beside: `p50 / p99: ${p50p99(all)}; ${lookup}`,
      aim: `≤ ${LIMIT_MS} ms`,
      ...atMost(p99, LIMIT_MS),
    },
    {
      what: `${what}, p99 of the quietest round`,
      measured: ms(quietest),
      aim: `≤ ${LIMIT_MS} ms`,
      ...atMost(quietest, LIMIT_MS),
    },
  ];
}

const ORIGIN = { agent: "claude-code", project: "shop", command: "/gsd:execute-phase 3" };

async function answerMany(store: Store, asks: readonly Ask[]): Promise<void> {
  for (let from = 0; from < PRECEDENTS; from += BATCH)
    await Promise.all(
      Array.from({ length: BATCH }, (_, i) => {
        const at = from + i;
        return store.append({ at, ask: { id: `old${at}`, expected: 0, events: answered(asks, at) } });
      }),
    );
}

function answered(asks: readonly Ask[], at: number): AskEvent[] {
  const { questions: like } = asks[at % asks.length] ?? askOf();
  // Half of them are the very questions that are asked, so that there is something to weigh.
  const questions = at % 2 === 0 ? like : like.map((each) => ({ ...each, text: `${each.text} ${at}` }));
  const actor = { type: "person" as const, surface: "web" };
  return [
    { type: "ask.captured", kind: "question", questions, origin: ORIGIN, key: `key${at}`, channel: "race" },
    { type: "ask.settled", outcome: { type: "answered", actor, at, answers: [{ picks: [0] }] } },
  ];
}

function ruleOf(i: number) {
  const name = `rule ${i}`;
  if (i === RULES - 1) return Rule.parse({ name, choose: "category" });
  if (i % 9 === 1) {
    const match = { template: `Should we move thing ${i} … the list?`, options: ["Yes", "No"] };
    return Rule.parse({ name, match, choose: { label: "Yes" } });
  }
  if (i % 3 === 0)
    return Rule.parse({ name, match: { question: `/^(which|what) .*thing ${i}( please)?$/` }, choose: "recommended" });
  if (i % 3 === 1)
    return Rule.parse({ name, match: { header: `Header ${i}`, options: ["Yes", `Label ${i}`] }, choose: "all" });
  return Rule.parse({ name, match: { question: `some text ${i}`, phase: "execute" }, choose: "affirmative" });
}
