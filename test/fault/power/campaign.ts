import { rmSync } from "node:fs";
import type { Campaign, Report } from "../../../scripts/campaign.ts";
import { type Bug, plant } from "../planted.ts";
import { type CutFindings, playCut } from "./cut.ts";
import { type CutKind, KINDS, type Random } from "./disk.ts";
import { record, type Recording } from "./record.ts";
import { buildRecorder, noRecorder, type Recorder } from "./recorder.ts";

type Sum = {
  cuts: Record<string, number>;
  promises: number;
  recordings: number;
  unsynced: number;
  lost: string[];
  untrue: string[];
  failures: string[];
};

const [ACTIONS, CUTS_EACH] = [60, 12];
const BUGS: Bug[] = ["no-sync", "early-ack"];

/** The power is cut under a daemon at work, again and again, and the real daemon starts on what a disk would have left. */
export const powerCut: Campaign = {
  title: "Power cuts",
  counts: "cuts",
  usual: 300,
  page: "docs/reliability.md",
  async run({ amount, seed, until, jobs, progress }): Promise<Report> {
    const reason = noRecorder();
    if (reason !== undefined) return { rows: [["not played", reason]], failures: [reason], counted: 0 };
    using recorder = buildRecorder();
    const sum: Sum = { cuts: {}, promises: 0, recordings: 0, unsynced: 0, lost: [], untrue: [], failures: [] };
    const rows: Report["rows"] = [];
    for (const bug of BUGS) {
      const { seen, of } = await caught(recorder, bug, seed);
      rows.push([`first, with ${bug} planted: cuts that caught it`, `${seen} of ${of}`]);
      progress(`${bug}: caught by ${seen} of ${of}`);
      if (seen === 0) sum.failures.push(`the planted ${bug} was not caught`);
    }
    let next = seed;
    const counted = () => Object.values(sum.cuts).reduce((all, n) => all + n, 0);
    const work = async () => {
      while (counted() < amount && performance.now() < until) {
        const mine = next++;
        await series(recorder, mine, Math.min(CUTS_EACH, amount - counted()), (kind, findings) => {
          sum.cuts[kind] = (sum.cuts[kind] ?? 0) + 1;
          sum.promises += findings.promises;
          sum.unsynced += findings.unsynced;
          sum.lost.push(...findings.lost);
          sum.untrue.push(...findings.untrue);
          const wrong = [...findings.lost.map((one) => `lost: ${one}`), ...findings.untrue];
          if (wrong.length > 0)
            sum.failures.push(
              `${kind}: ${wrong.join("; ")}\nagain: npm run soak -- power-cut --cuts ${CUTS_EACH} --jobs 1 --seed ${mine}`,
            );
          for (const each of wrong) progress(`✗ ${each}`);
        });
        sum.recordings++;
        progress(`${counted()} cuts, ${sum.promises} promises: ${sum.lost.length} lost, ${sum.untrue.length} untrue`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    return { rows: [...rows, ...rowsOf(sum)], failures: sum.failures, counted: counted() };
  },
};

/** One recording and several cuts of it. */
export async function series(
  recorder: Recorder,
  seed: number,
  cuts: number,
  tell: (kind: CutKind, findings: CutFindings) => void,
  { actions = ACTIONS, tasks = true, command }: { actions?: number; tasks?: boolean; command?: string[] } = {},
): Promise<void> {
  const random = seeded(seed);
  const recording = await record(recorder, { actions, tasks, random, ...(command && { command }) });
  try {
    for (let i = 0; i < cuts; i++) {
      const kind = KINDS[i % KINDS.length] ?? "synced";
      tell(kind, await playCut(recording, { at: placeOf(recording, i, random), kind }, { random }));
    }
  } finally {
    rmSync(recording.program.root, { recursive: true, force: true });
  }
}

/** Most often the moment in which something was acknowledged; else between any two calls, or in the middle of a sync. */
function placeOf({ ops, promised }: Recording, i: number, random: Random): number {
  const any = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
  if (i % 5 < 3) return any(promised)?.to ?? 0;
  if (i % 5 === 3) return any(ops)?.end ?? 0;
  return any(ops.filter((op) => op.do === "sync"))?.end ?? 0;
}

/** A build that is wrong must be seen: by cuts that keep only what was synced. */
async function caught(recorder: Recorder, bug: Bug, seed: number): Promise<{ seen: number; of: number }> {
  using planted = plant(bug);
  const random = seeded(seed);
  const recording = await record(recorder, { actions: 20, tasks: false, random, command: planted.command });
  let seen = 0;
  const of = 5;
  try {
    for (let i = 0; i < of; i++) {
      const at = recording.promised[3 + 3 * i]?.to ?? 0;
      const { lost } = await playCut(recording, { at, kind: "synced" }, { random });
      if (lost.length > 0) seen++;
    }
  } finally {
    rmSync(recording.program.root, { recursive: true, force: true });
  }
  return { seen, of };
}

function rowsOf({ cuts, promises, recordings, unsynced, lost, untrue }: Sum): Report["rows"] {
  const all = Object.values(cuts).reduce((sum, n) => sum + n, 0);
  return [
    ["cuts", all],
    ["… by what is left of that which was not synced", KINDS.map((kind) => `${cuts[kind] ?? 0} ${kind}`).join(", ")],
    ["recordings", recordings],
    ["changes that were not synced when the power went", `${Math.round(unsynced / Math.max(1, all))} on average`],
    ["acknowledgements compared", promises],
    ["**lost**", lost.length],
    ["**untrue**", untrue.length],
  ];
}

/** mulberry32: the same seed gives the same actions and the same cuts; when they happen is the machine's. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
