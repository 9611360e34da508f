import type { Report } from "../../../scripts/campaign.ts";
import type { Round } from "./area.ts";

/** One round of an area, as it is kept. `run`: when its run began; `at`: how long it had lasted by then; times in seconds. */
export type Line = Round & {
  area: string;
  seed: number;
  run: string;
  at: number;
  seconds: number;
  /** Of everything that ran meanwhile. */
  processor: number;
  commit: string;
  /** It could not be played. */
  broken?: string;
};

const WRONG = ["lost", "doubled", "untrue"] as const;
export const killsOf = (lines: readonly Pick<Round, "kills">[]): number =>
  lines.flatMap(({ kills }) => Object.values(kills)).reduce((sum, n) => sum + n, 0);

/** All runs on one commit, as one. */
export function addUp(all: readonly Line[], commit: string): Report {
  const lines = all.filter((line) => line.commit === commit);
  const played = lines.filter(({ broken }) => broken === undefined);
  const failures = lines.flatMap((line) => [
    ...WRONG.flatMap((kind) => line[kind].map((what) => `${line.area}, seed ${line.seed}: ${kind}: ${what}`)),
    ...(line.broken === undefined ? [] : [`${line.area}, seed ${line.seed}: ${line.broken}`]),
  ]);
  const counted = killsOf(played);
  const sum = (of: readonly Line[], part: "asks" | "answers" | "seconds" | "processor") =>
    of.reduce((total, line) => total + line[part], 0);
  const areas = Map.groupBy(played, ({ area }) => area);
  const runs = [...Map.groupBy(lines, ({ run }) => run).values()];
  const rows: Report["rows"] = [["kills", counted]];
  for (const [area, rounds] of areas) {
    const wrong = WRONG.map((kind) => `${rounds.flatMap((round) => round[kind]).length} ${kind}`).join(", ");
    const causes = counts(rounds.flatMap(({ unseen }) => unseen)).join(" ") || "0";
    const pace = Math.round((60 * killsOf(rounds)) / Math.max(1, sum(rounds, "seconds")));
    rows.push([
      area,
      `${counts(rounds.flatMap(victimsIn)).join(", ")}; ${rounds.length} rounds, ${sum(rounds, "asks")} asks, ${sum(rounds, "answers")} answers: **${wrong}**, unseen ${causes}; ${pace} kills a minute in each`,
    ]);
  }
  const duration = runs.reduce((total, run) => total + Math.max(...run.map(({ at }) => at)), 0);
  const seeds = runs.map((run) => Math.min(...run.map(({ seed }) => seed)));
  rows.push(
    ["rounds that broke", lines.length - played.length],
    ["kills a minute", Math.round((60 * counted) / Math.max(1, duration))],
    ["processor time for each kill, what it interrupts and its start included", `${perKill()} s`],
    ["seed", seeds.join(", ")],
    ["duration", `${Math.floor(duration / 60)} min ${String(Math.round(duration % 60)).padStart(2, "0")} s`],
    ["commit", commit],
  );
  return { rows, failures, counted };

  function perKill(): string {
    return (sum(lines, "processor") / Math.max(1, counted)).toFixed(2);
  }
}

const victimsIn = ({ kills }: Round): string[] =>
  Object.entries(kills).flatMap(([victim, n]) => Array.from({ length: n }, () => victim));

function counts(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} ${name}`);
}
