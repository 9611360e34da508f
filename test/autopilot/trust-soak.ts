import type { Campaign, Report } from "../../scripts/campaign.ts";
import { wilson } from "../../src/core/wilson.ts";
import { createPlayer, createStream, LENGTH, type StreamPlan, type Wording } from "./stream.ts";

const PLANS: [name: string, plan: StreamPlan][] = [
  ["after 3 equal answers", { needed: 3 }],
  ["after 5, as it is set", { needed: 5 }],
  ["after 8", { needed: 8 }],
  ["after 5, wrong ones seen only where asked anyway", { needed: 5, noticesWrong: false }],
];
const WORDINGS: Record<Wording, string> = {
  plain: "plain wording",
  mixed: "usual wording",
};

/** Of a workflow's own questions. */
const MOST_REASONS = 6;

type Sum = { questions: number; answered: number; agreed: number; staked: number };

/** Made-up people who answer made-up workflows: how much goes out alone, and how often as they would have answered. */
export const trust: Campaign = {
  title: "Streams of questions through the ledger of trust",
  counts: "streams",
  usual: 100,
  page: "docs/autopilot.md",
  async run({ amount, seed, until, progress }): Promise<Report> {
    const rows: Report["rows"] = [];
    let counted = 0;
    for (const wording of ["plain", "mixed"] as const) {
      const sums = PLANS.map((): Sum => ({ questions: 0, answered: 0, agreed: 0, staked: 0 }));
      let passing = 0;
      const held = new Map<string, number>();
      for (counted = 0; counted < amount && performance.now() < until; counted++) {
        const stream = createStream(seed + counted, wording);
        passing += stream.passing;
        for (const why of stream.held) held.set(why, (held.get(why) ?? 0) + 1);
        const play = createPlayer(stream.asks);
        for (const [i, [, plan]] of PLANS.entries()) add(sums[i], await play(plan));
        if (counted % 20 === 19) progress(`${wording} ${counted + 1}`);
      }
      const passed = wilson(passing, counted * LENGTH);
      rows.push([`${WORDINGS[wording]}: let through by the gate`, percent(passed.count / passed.of)]);
      const most = [...held].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_REASONS);
      const reasons = most.map(([why, count]) => `${why} ${percent(count / (counted * LENGTH))}`);
      if (reasons.length > 0) rows.push([`${WORDINGS[wording]}: what holds most of the others`, reasons.join(", ")]);
      for (const [i, [name]] of PLANS.entries()) rows.push([`${WORDINGS[wording]}, ${name}`, words(sums[i])]);
    }
    return { rows: [["streams", `${counted} of ${LENGTH} questions each`], ...rows], failures: [], counted };
  },
};

function add(
  sum: Sum | undefined,
  { questions, answered, agreed, staked }: Awaited<ReturnType<ReturnType<typeof createPlayer>>>,
) {
  if (!sum) return;
  sum.questions += questions;
  sum.answered += answered.count;
  sum.agreed += agreed.count;
  sum.staked += staked;
}

function words(sum: Sum | undefined): string {
  const { questions, answered, agreed, staked } = sum ?? { questions: 0, answered: 0, agreed: 0, staked: 0 };
  const { low, high } = wilson(agreed, answered);
  const share = questions === 0 ? 0 : answered / questions;
  const same = answered === 0 ? 0 : agreed / answered;
  return `${percent(share)} answered, ${percent(same)} as the person (${percent(low)} to ${percent(high)}), ${staked} at stake`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
