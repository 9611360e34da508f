import type { Campaign, Report } from "../../../scripts/campaign.ts";
import { playFrames } from "../../hostile/hub-frames.ts";
import { isWrong, killsIn, playHub, type Ran } from "./hub-run.ts";
import { ALL_HURTS } from "./hurts.ts";

const FUZZ_MS = 10_000;

/** Several hubs on PostgreSQL with a synchronous standby, machines, agents and people; all of it killed, cut off and put to sleep. */
export const hub: Campaign = {
  title: "Hubs, machines and database killed at random",
  counts: "kills",
  usual: 500,
  sizes: { hubs: 3, daemons: 20, agents: 200, people: 6, pause: 20_000 },
  page: "docs/reliability.md",
  async run({ amount, seed, until, sizes = {}, progress }): Promise<Report> {
    const { hubs = 3, daemons = 20, agents = 200, people = 6, pause: pauseMs = 20_000 } = sizes;
    const frames = await playFrames({ seed, forMs: FUZZ_MS });
    progress(`${frames} frames of the protocol were heard`);
    const plan = { hubs, daemons, agents, people, pauseMs, postgres: true, seed, kills: amount, until, progress };
    const ran = await playHub(plan);
    const kills = killsIn(ran.kills);
    const rows: Report["rows"] = [
      [
        "size",
        `${hubs} hubs, PostgreSQL with a synchronous standby, ${daemons} daemons, ${agents} agents, ${people} people`,
      ],
      ...rowsOf(ran),
      ["made-up frames heard by both sides of the protocol", frames],
    ];
    const again = `again: npm run soak -- hub --kills ${amount} --seed ${seed} --hubs ${hubs} --daemons ${daemons} --agents ${agents}`;
    const failures = isWrong(ran.findings) ? [`${JSON.stringify(ran.findings, null, 2)}\n${again}`] : [];
    for (const failure of failures) progress(`✗ ${failure}`);
    return { rows, failures, counted: kills };
  },
};

function rowsOf({ findings, ledger, kills, recovery }: Ran): Report["rows"] {
  const { lost, doubled, untrue, unseen } = findings;
  const { asked, said } = ledger;
  const told = (reply: string) => said.filter((each) => each.reply === reply).length;
  const struck = Object.entries(kills).map(([what, n]) => `${n} × ${what}`);
  const causes = Object.entries(unseen).map(([cause, n]) => `${n} ${cause}`);
  const times = ALL_HURTS.flatMap((hurt): Report["rows"] => {
    const all = (recovery.get(hurt) ?? []).filter((ms) => ms > 0).toSorted((a, b) => a - b);
    const at = (share: number) => `${((all[Math.floor(share * (all.length - 1))] ?? 0) / 1000).toFixed(1)} s`;
    return all.length === 0
      ? []
      : [[`again after *${hurt}*, ${all.length} times: half of them, longest`, `${at(0.5)}, ${at(1)}`]];
  });
  return [
    ["kills", killsIn(kills)],
    ["… and stopped and continued", struck.join(", ")],
    ["asks", asked.length],
    ["answers in a hub, acknowledged", told("acknowledged")],
    ["… told that somebody was first", told("second")],
    ["… told that the machine was faster", told("settled")],
    ["**lost**", lost.length],
    ["**doubled**", doubled.length],
    ["**untrue**", untrue.length],
    ["unseen", causes.length > 0 ? causes.join(", ") : 0],
    ...times,
  ];
}
