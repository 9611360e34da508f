import type { Campaign, Report } from "../../scripts/campaign.ts";
import { playNight } from "./autopilot-night.ts";

const [SESSIONS, WATCHES] = [40, 5];

/** Whole nights of the autopilot, 400 questions each, with everybody killed now and then. */
export const night: Campaign = {
  title: "Nights of the autopilot",
  counts: "nights",
  usual: 1,
  page: "docs/autopilot.md",
  async run({ amount, seed, until, progress }): Promise<Report> {
    const sum: Record<string, number> = {};
    const failures: string[] = [];
    let counted = 0;
    for (; counted < amount && performance.now() < until; counted++) {
      const { counts, wrong } = await playNight({ sessions: SESSIONS, watches: WATCHES, seed: seed + counted });
      for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
      failures.push(...wrong.map((problem) => `seed ${seed + counted}: ${problem}`));
      progress(`night ${counted + 1}: ${wrong.length} wrong`);
    }
    const ended = Object.entries(sum).toSorted(([a], [b]) => a.localeCompare(b));
    const asked = Object.values(sum).reduce((all, count) => all + count, 0);
    return {
      rows: [["nights", counted], ["questions", asked], ["wrong", failures.length], ...ended],
      failures,
      counted,
    };
  },
};
