import { expect, test } from "bun:test";
import { kills } from "./kills.ts";

/** A failure says how to play its schedule again: FAULT_SEED, FAULT_PATH, and FAULT_SHRINK=1 to look for a shorter one. */
const replayed = process.env["FAULT_SEED"];
const seed = Number(replayed ?? Date.now() % 2 ** 31);
/** One schedule has about forty; `npm run soak -- kills` plays thousands. */
const amount = replayed === undefined ? 50 : 1;

test(
  "[FA1] whoever is killed, told to end or stopped whenever, nothing is lost, doubled or untrue",
  async () => {
    const jobs = replayed === undefined ? 2 : 1;
    const { failures, counted } = await kills.run({ amount, seed, until: Infinity, jobs, progress: () => undefined });
    expect(failures).toEqual([]);
    expect(counted).toBeGreaterThanOrEqual(amount);
  },
  30 * 60_000,
);
