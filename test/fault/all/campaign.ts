import { readFileSync } from "node:fs";
import type { Campaign, Report } from "../../../scripts/campaign.ts";
import { plant } from "../planted.ts";
import { seeded } from "../power/campaign.ts";
import { type Area, isWrong, nothing } from "./area.ts";
import { AREAS } from "./areas.ts";
import { isPlantedCaught } from "./caught.ts";
import { opencode } from "./opencode.ts";
import { push } from "./push.ts";
import { addUp, killsOf, type Line } from "./sum.ts";
import { trust } from "./trust.ts";

/** Found out at their own doors: an answer, a press, what was taken back. */
const PLANTED: readonly Area[] = [push, opencode, trust];
const MOST_TRIES = 10;
/** Until an area has been played once nothing is known of it. */
const USUAL_KILLS = 20;

/** Kills in every area, each by its share; several at once, because most of the time each waits. */
export const killsAll: Campaign = {
  title: "Kills in every area",
  counts: "kills",
  usual: 10_000,
  page: "docs/reliability.md",
  addUp: (lines, commit) => addUp(lines as Line[], commit),
  async run({ amount, seed, until, jobs, progress, only = [], earlier = [], note = () => undefined, commit = "" }) {
    const areas = AREAS.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
    if (areas.length === 0) throw new Error(`There is no such area; there are: ${AREAS.map((a) => a.name).join("; ")}`);
    const before = (earlier as Line[]).filter((line) => line.commit === commit);
    const [lines, run, started]: [Line[], string, number] = [[], new Date().toISOString(), performance.now()];
    const missed = await notCaught(areas, progress);
    const counted = () => killsOf([...before, ...lines]);
    const begun = new Map<string, number>();
    let [turn, processor, isOver] = [0, processorSeconds(), false];
    // What has begun is played to its end, and leaves nothing behind.
    const stop = () => (progress("ends with what has begun"), (isOver = true));
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
    const work = async () => {
      while (!isOver && counted() < amount && performance.now() < until) {
        const area = next();
        begun.set(area.name, (begun.get(area.name) ?? 0) + 1);
        const [mine, from] = [seed + turn++, performance.now()];
        const played = await area
          .play(seeded(mine), mine)
          .catch((error: Error) => ({ ...nothing(), broken: error.message }));
        begun.set(area.name, (begun.get(area.name) ?? 0) - 1);
        const now = processorSeconds();
        const times = { at: sinceMs(started) / 1000, seconds: sinceMs(from) / 1000, processor: now - processor };
        processor = now;
        const line: Line = { area: area.name, seed: mine, run, ...times, commit, ...played };
        lines.push(line);
        note(line);
        const { failures } = addUp([line], commit);
        for (const failure of failures) progress(`✗ ${failure}`);
        progress(`${counted()} kills; ${area.name}: ${killsOf([line])} in ${Math.round(line.seconds)} s`);
      }
    };
    /** The one that is furthest behind its share, with what the others are about to do. */
    function next(): Area {
      const behind = areas.map((area) => {
        const own = [...before, ...lines].filter((line) => line.area === area.name);
        const each = own.length === 0 ? USUAL_KILLS : killsOf(own) / own.length;
        return { area, so: (killsOf(own) + Math.max(1, each) * (begun.get(area.name) ?? 0)) / area.share };
      });
      return behind.reduce((least, one) => (one.so < least.so ? one : least)).area;
    }
    await Promise.all(Array.from({ length: jobs }, work));
    for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, stop);
    const report: Report = addUp([...before, ...lines], commit);
    return { ...report, failures: [...missed, ...report.failures] };
  },
};

const sinceMs = (from: number): number => Math.round(performance.now() - from);

/** What a build that is wrong on purpose was not found out by. */
async function notCaught(areas: readonly Area[], progress: (line: string) => void): Promise<string[]> {
  const missed: string[] = [];
  using early = plant("early-ack");
  const { caught, of } = await isPlantedCaught(early.command);
  progress(`early-ack: caught ${caught} of ${of}`);
  if (caught === 0) missed.push("the planted early-ack was not caught");
  using planted = plant("early-answer");
  const playing = { command: planted.command };
  const find = async (area: Area) => {
    let tries = 1;
    while (!isWrong(await area.play(seeded(tries), tries, playing))) if (tries++ === MOST_TRIES) break;
    progress(`early-answer in ${area.name}: ${tries > MOST_TRIES ? "not caught" : `caught in round ${tries}`}`);
    if (tries > MOST_TRIES) missed.push(`the planted early-answer was not caught by ${area.name}`);
  };
  await Promise.all(PLANTED.filter((area) => areas.includes(area)).map(find));
  return missed;
}

/** Of this process and of all it has started and seen end. */
function processorSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ").slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
