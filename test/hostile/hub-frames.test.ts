import { expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE_MS } from "./fuzz.ts";
import { playFrames } from "./hub-frames.ts";

setDefaultTimeout(PATIENCE_MS);
/** `FUZZ_RUNS` says more, `FUZZ_SEED` others; `npm run soak -- hub` goes on for ten seconds. */
const frames = Number(process.env["FUZZ_RUNS"]) || 300;
const seed = Number(process.env["FUZZ_SEED"]) || 4747;

test("[HK3] whatever a machine says to a hub, or a hub to a machine: it is taken, or that line ends; the next is welcome", async () => {
  expect(await playFrames({ seed, frames })).toBe(frames);
});
