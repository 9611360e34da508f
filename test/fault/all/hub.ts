import { killsIn, playHub } from "../../hub/soak/hub-run.ts";
import { type Area, nothing } from "./area.ts";

/** A hub and machines that joined it, as `soak -- hub` plays them: hubs, daemons, the database and lines die. */
const area = (name: string, share: number, postgres: boolean, kills: number): Area => ({
  name,
  share,
  async play(_random, seed) {
    const size = { hubs: postgres ? 2 : 1, daemons: 3, agents: 9, people: 2, pauseMs: 300 };
    const plan = { ...size, postgres, seed, kills, until: Number.POSITIVE_INFINITY, progress: () => undefined };
    const { findings, ledger, kills: struck } = await playHub(plan);
    const { lost, doubled, untrue, unseen } = findings;
    const by: Record<string, number> = {};
    for (const [what, n] of Object.entries(struck)) {
      const [, victim = what] = what.split(" ");
      if (killsIn({ [what]: n }) > 0) by[victim] = (by[victim] ?? 0) + n;
    }
    return {
      ...nothing(),
      kills: by,
      asks: ledger.asked.length,
      answers: ledger.said.filter(({ reply }) => reply === "acknowledged").length,
      lost,
      doubled,
      untrue,
      unseen: Object.entries(unseen).flatMap(([cause, n]) => Array.from({ length: n }, () => cause)),
    };
  },
});

export const hubs: readonly Area[] = [area("hub, embedded store", 5, false, 40), area("hub, PostgreSQL", 4, true, 40)];
