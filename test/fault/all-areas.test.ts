import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { nothing } from "./all/area.ts";
import { slack } from "./all/slack.ts";
import { addUp, type Line } from "./all/sum.ts";
import { seeded } from "./power/campaign.ts";

setDefaultTimeout(TEST_MS);
const SEED = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31);

test(`[FI3] the daemon dies in its calls to a chat: each press counts once, nothing is lost (FAULT_SEED=${SEED})`, async () => {
  const { lost, doubled, untrue, asks, answers } = await slack.play(seeded(SEED), SEED, { isSmall: true });
  expect({ lost, doubled, untrue }).toEqual({ lost: [], doubled: [], untrue: [] });
  expect(answers).toBe(asks);
});

const line = (more: Partial<Line>): Line => ({
  ...nothing(),
  area: "push",
  seed: 7,
  run: "2026-11-16T10:00:00Z",
  at: 30,
  seconds: 20,
  processor: 4,
  commit: "abc",
  kills: { daemon: 10 },
  asks: 6,
  answers: 6,
  ...more,
});

test("[KV2] runs on one commit are added up, those of another are left out, and whatever was wrong in one fails them all", () => {
  const lines = [
    line({}),
    line({ seed: 8, at: 60, unseen: ["gave-up"] }),
    line({ run: "2026-11-16T11:00:00Z", seed: 90, at: 10, kills: { daemon: 1, agent: 2 } }),
    line({ commit: "old", lost: ["of another commit"] }),
  ];
  const { rows, failures, counted } = addUp(lines, "abc");
  expect([failures, counted]).toEqual([[], 23]);
  const cells = Object.fromEntries(rows);
  expect(cells["kills"]).toBe(23);
  expect(cells["push"]).toContain("21 daemon, 2 agent; 3 rounds, 18 asks, 18 answers");
  expect(cells["push"]).toContain("**0 lost, 0 doubled, 0 untrue**, unseen 1 gave-up");
  expect([cells["seed"], cells["duration"], cells["commit"]]).toEqual(["7, 90", "1 min 10 s", "abc"]);
  const wrong = addUp([...lines, line({ doubled: ["it is"], seed: 9 }), line({ broken: "no" })], "abc");
  expect(wrong.failures).toEqual(["push, seed 9: doubled: it is", "push, seed 7: no"]);
});
