import { expect, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { playNight } from "./autopilot-night.ts";

// The long one, 40 sessions and 400 questions: npm run soak -- night
test(
  "[AU50] a night of several sessions, with kills of daemon and agents: each question ends in exactly one truthful state",
  async () => {
    const { counts, wrong } = await playNight({ sessions: 10, watches: 2, seed: 8 });
    expect(wrong).toEqual([]);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(40);
    for (const common of ["rule rule", "brain brain", "nobody expired"]) expect(counts[common]).toBeGreaterThan(0);
  },
  TEST_MS,
);
