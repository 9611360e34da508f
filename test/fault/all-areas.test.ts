import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { slack } from "./all/slack.ts";
import { seeded } from "./power/campaign.ts";

setDefaultTimeout(TEST_MS);
const SEED = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31);

test(`[FI3] the daemon dies in its calls to a chat: each press counts once, nothing is lost (FAULT_SEED=${SEED})`, async () => {
  const { lost, doubled, untrue, asks, answers } = await slack.play(seeded(SEED), SEED);
  expect({ lost, doubled, untrue }).toEqual({ lost: [], doubled: [], untrue: [] });
  expect(answers).toBe(asks);
});
