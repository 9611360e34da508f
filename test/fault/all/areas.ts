import * as fc from "fast-check";
import { playNight } from "../../e2e/autopilot-night.ts";
import { Schedule } from "../schedule.ts";
import { play } from "../world.ts";
import { type Area, nothing } from "./area.ts";
import { hubs } from "./hub.ts";
import { keys } from "./keys.ts";
import { opencode } from "./opencode.ts";
import { push } from "./push.ts";
import { real } from "./real.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { tasks } from "./tasks.ts";
import { trust } from "./trust.ts";

/** Questions of agents and scripts, as `kills` plays them. */
const asks: Area = {
  name: "asks",
  share: 30,
  async play(_random, seed) {
    const [schedule = []] = fc.sample(Schedule, { seed, numRuns: 1 });
    const { findings, counts } = await play(schedule);
    const kills: Record<string, number> = {};
    for (const [name, n] of Object.entries(counts.strikes)) {
      const [signal, victim = ""] = name.split(" ");
      if (signal !== "SIGSTOP") kills[victim] = (kills[victim] ?? 0) + n;
    }
    const { lost, doubled, untrue, unseen } = findings;
    return { kills, asks: counts.asks, answers: counts.answers, lost, doubled, untrue, unseen };
  },
};

const [SESSIONS, WATCHES] = [6, 8];
/** A night in which rules, brains and the undo window work, and nobody is there. */
const autopilot: Area = {
  name: "autopilot, a night",
  share: 5,
  async play(_random, seed) {
    const { counts, wrong } = await playNight({ sessions: SESSIONS, watches: WATCHES, seed });
    const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
    return { ...nothing(), kills: { daemon: WATCHES, agent: WATCHES }, asks: all, answers: all, untrue: wrong };
  },
};

export const AREAS: readonly Area[] = [
  asks,
  tasks,
  telegram,
  slack,
  push,
  opencode,
  trust,
  autopilot,
  ...hubs,
  keys,
  ...real,
];
