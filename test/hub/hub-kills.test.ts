import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { EARLY_COMMAND } from "./soak/early.ts";
import { playHub } from "./soak/hub-run.ts";

setDefaultTimeout(TEST_MS);
const SEED = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31);
const SMALL = { postgres: false, hubs: 1, people: 2, seed: SEED, until: Infinity, progress: () => undefined };

test(`[HK1] hub, daemons and lines hurt at random: nothing is lost, doubled or untrue (FAULT_SEED=${SEED})`, async () => {
  const { findings } = await playHub({ ...SMALL, daemons: 2, agents: 4, kills: 4, pauseMs: 400 });
  expect(findings).toMatchObject({ lost: [], doubled: [], untrue: [] });
});

test("[HK2] a hub that acknowledges before it commits is found out", async () => {
  const hurts = ["hub killed as it acknowledges"] as const;
  const few = { daemons: 1, agents: 2, people: 1, kills: 2, pauseMs: 300, restMs: 0 };
  const { findings } = await playHub({ ...SMALL, ...few, hurts, hubCommand: EARLY_COMMAND });
  expect(findings.lost).toContainEqual(expect.stringContaining("acknowledged, and the hub does not have it"));
});
