import * as fc from "fast-check";
import type { Campaign, Report } from "../../scripts/campaign.ts";
import { Schedule } from "./schedule.ts";
import { add, type Counts, NOTHING } from "./tally.ts";
import type { Findings } from "./truth.ts";
import { play } from "./world.ts";

type Sum = {
  counts: Counts;
  unseen: Record<string, number>;
  runs: number;
  lost: string[];
  doubled: string[];
  untrue: string[];
  broken: number;
  failures: string[];
};

/** Schedules of the model test, one after the other and several at once, until enough processes were killed. */
export const kills: Campaign = {
  title: "Kills at random",
  counts: "kills",
  usual: 10_000,
  page: "docs/reliability.md",
  async run({ amount, seed, until, jobs, progress }): Promise<Report> {
    const sum: Sum = {
      counts: NOTHING,
      unseen: {},
      runs: 0,
      lost: [],
      doubled: [],
      untrue: [],
      broken: 0,
      failures: [],
    };
    let next = seed;
    const work = async () => {
      while (sum.counts.kills < amount && performance.now() < until) {
        const failure = await one(next++, sum);
        if (failure !== undefined) sum.failures.push(failure);
        progress(failure === undefined ? lineOf(sum) : `✗ ${failure}\n${lineOf(sum)}`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    return { rows: rowsOf(sum), failures: sum.failures, counted: sum.counts.kills };
  },
};

/** FAULT_SHRINK=1 looks for a shorter schedule that fails too, FAULT_PATH plays exactly that one again. */
async function one(seed: number, sum: Sum): Promise<string | undefined> {
  const property = fc.asyncProperty(Schedule, async (schedule) => {
    const { findings, counts } = await play(schedule);
    sum.counts = add(sum.counts, counts);
    for (const cause of findings.unseen) sum.unseen[cause] = (sum.unseen[cause] ?? 0) + 1;
    for (const kind of WRONG) sum[kind].push(...findings[kind]);
    if (WRONG.some((kind) => findings[kind].length > 0)) throw new WrongError(JSON.stringify(findings, null, 2));
  });
  const { FAULT_SHRINK, FAULT_PATH } = process.env;
  const again = FAULT_PATH === undefined ? {} : { path: FAULT_PATH };
  const result = await fc.check(property, { seed, numRuns: 1, endOnFailure: FAULT_SHRINK !== "1", ...again });
  sum.runs++;
  if (!result.failed) return undefined;
  const { errorInstance, counterexamplePath, counterexample, numShrinks } = result;
  if (!(errorInstance instanceof WrongError)) sum.broken++;
  const shorter = numShrinks > 0 ? `\nshrunk to ${JSON.stringify(counterexample?.[0])}` : "";
  const replay = `FAULT_SEED=${seed} FAULT_PATH=${counterexamplePath} npm test -- test/fault/model.test.ts`;
  return `${wordsOf(errorInstance)}${shorter}\nagain: ${replay}`;
}

/** Parley did wrong, as opposed to a run that could not be played. */
class WrongError extends Error {}

/** The cleaning up may fail too, and hides what was first. */
function wordsOf(error: unknown): string {
  if (error instanceof WrongError) return error.message;
  if (error instanceof SuppressedError) return `${wordsOf(error.suppressed)}; then ${wordsOf(error.error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const WRONG = ["lost", "doubled", "untrue"] as const satisfies (keyof Findings)[];

function lineOf({ counts, unseen, runs, lost, doubled, untrue, broken }: Sum): string {
  const missed = Object.values(unseen).reduce((total, n) => total + n, 0);
  const wrong = `${lost.length} lost, ${doubled.length} doubled, ${untrue.length} untrue, ${broken} broken`;
  return `${counts.kills} kills, ${runs} runs, ${counts.asks} asks, ${counts.answers} answers, ${missed} unseen: ${wrong}`;
}

const TARGETS = ["daemon", "hook", "agent", "asker"] as const;

function rowsOf({ counts, unseen, runs, lost, doubled, untrue, broken }: Sum): Report["rows"] {
  const of = (signal: string) =>
    TARGETS.map((target) => `${counts.strikes[`${signal} ${target}`] ?? 0} ${target}`).join(", ");
  const causes = Object.entries(unseen).map(([cause, n]) => `${n} ${cause}`);
  return [
    ["kills", counts.kills],
    ["… SIGKILL", of("SIGKILL")],
    ["… SIGTERM", of("SIGTERM")],
    ["stopped and continued (not counted as kills)", of("SIGSTOP")],
    ["runs", runs],
    ["asks", counts.asks],
    ["answers acknowledged", counts.answers],
    ["delivered", counts.delivered],
    ["verified", counts.verified],
    ["**lost**", lost.length],
    ["**doubled**", doubled.length],
    ["**untrue**", untrue.length],
    ["unseen", causes.length > 0 ? causes.join(", ") : 0],
    ["runs that broke", broken],
  ];
}
