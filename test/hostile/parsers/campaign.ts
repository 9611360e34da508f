import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Campaign, Report } from "../../../scripts/campaign.ts";
import { playFrames } from "../hub-frames.ts";
import { DOORS } from "./doors.ts";
import { playDoor } from "./play.ts";

export const FOUND = join(import.meta.dir, "found");
const RUNS = 300;
/** Said over real lines: what was said before counts, so a finding is its seed. */
const HUB = "hub and machine frames";

/** Every parser of what comes from outside, fed with bent recordings, door by door, until the time is over. */
export const fuzz: Campaign = {
  title: "Bent messages into every parser",
  counts: "inputs",
  usual: 100_000_000,
  page: "docs/reliability.md",
  async run({ amount, seed, until, progress }): Promise<Report> {
    const counts = new Map<string, number>();
    const failures: string[] = [];
    let [all, round] = [0, 0];
    for (; all < amount && performance.now() < until && failures.length < 20; round++) {
      for (const door of DOORS) {
        const { inputs, found } = await playDoor(door, seed + round, RUNS);
        all += inputs;
        counts.set(door.name, (counts.get(door.name) ?? 0) + inputs);
        if (found) {
          const { error, ...finding } = found;
          const text = JSON.stringify(finding);
          const file = join(FOUND, `${door.name.replaceAll(" ", "-")}-${Bun.hash(text).toString(36)}.json`);
          writeFileSync(file, `${text}\n`);
          failures.push(`${door.name}: ${error}\nkept as ${file}`);
          progress(`✗ ${failures.at(-1)}`);
        }
        if (performance.now() > until) break;
      }
      const frames = await playFrames({ seed: seed + round, frames: RUNS }).catch((error: Error) => {
        failures.push(`${HUB}, seed ${seed + round}: ${error.message}`);
        progress(`✗ ${failures.at(-1)}`);
        return 0;
      });
      all += frames;
      counts.set(HUB, (counts.get(HUB) ?? 0) + frames);
      progress(`${all} inputs, round ${round + 1}: ${failures.length} found`);
    }
    const rows: Report["rows"] = [
      ["inputs", all],
      ["… by door", [...counts].map(([name, n]) => `${n} ${name}`).join(", ")],
      ["**found**", failures.length],
    ];
    return { rows, failures, counted: all };
  },
};
