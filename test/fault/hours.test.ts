import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { hours } from "./hours/campaign.ts";

const missing = ["/usr/bin/chromium", Bun.which("tmux") ?? ""].find((program) => !existsSync(program));
const reason = missing !== undefined && process.env["CI"] !== "true" ? " (skipped: no Chromium or no tmux)" : "";

test.skipIf(reason !== "")(
  `[FI1] a working day in small: everybody is answered, page and inbox go on${reason}`,
  async () => {
    const lines: string[] = [];
    const { rows, failures, counted } = await hours.run({
      amount: 0,
      seed: 0,
      jobs: 1,
      until: performance.now(),
      progress: (line) => lines.push(line),
      sizes: { held: 4, rate: 600, tasks: 1, think: 0, every: 1 },
    });
    expect(failures).toEqual([]);
    expect(counted).toBeGreaterThan(4);
    expect(lines.length).toBeGreaterThan(2);
    const of = (name: string) => String(rows.find(([what]) => what.startsWith(name))?.[1]);
    expect(of("memory of the daemon")).toMatch(/^\d+ → \d+ MB/);
    expect(of("an answer until who asked has it")).toMatch(/^(–|[\d.]+ \/ [\d.]+) → (–|[\d.]+ \/ [\d.]+) ms$/);
  },
);
