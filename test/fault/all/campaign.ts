import { readFileSync } from "node:fs";
import type { Campaign, Report } from "../../../scripts/campaign.ts";
import { plant } from "../planted.ts";
import { seeded } from "../power/campaign.ts";
import type { Round } from "./area.ts";
import { AREAS } from "./areas.ts";
import { isPlantedCaught } from "./caught.ts";

const KINDS = ["lost", "doubled", "untrue", "unseen"] as const;

/** Kills in every area by turns, one table. */
export const killsAll: Campaign = {
  title: "Kills in every area",
  counts: "kills",
  usual: 10_000,
  page: "docs/reliability.md",
  async run({ amount, seed, until, jobs, progress }): Promise<Report> {
    const failures: string[] = [];
    const sums = new Map(AREAS.map(({ name }) => [name, [] as Round[]]));
    const broken: string[] = [];
    const before = processorSeconds();
    using planted = plant("early-ack");
    const seen = await isPlantedCaught(planted.command);
    progress(`early-ack: caught ${seen.caught} of ${seen.of}`);
    if (seen.caught === 0) failures.push("the planted early-ack was not caught");
    const killsOf = (rounds: readonly Round[]) =>
      rounds.flatMap(({ kills }) => Object.values(kills)).reduce((sum, n) => sum + n, 0);
    const counted = () => killsOf([...sums.values()].flat());
    let next = 0;
    const work = async () => {
      while (counted() < amount && performance.now() < until) {
        const turn = next++;
        const area = AREAS[turn % AREAS.length];
        if (!area) return;
        try {
          const round = await area.play(seeded(seed + turn), seed + turn);
          sums.get(area.name)?.push(round);
          for (const kind of ["lost", "doubled", "untrue"] as const)
            for (const each of round[kind]) {
              failures.push(`${area.name}, seed ${seed + turn}: ${kind}: ${each}`);
              progress(`✗ ${failures.at(-1)}`);
            }
        } catch (error) {
          broken.push(`${area.name}, seed ${seed + turn}: ${(error as Error).message}`);
          progress(`broken: ${broken.at(-1)}`);
        }
        progress(`${counted()} kills, ${next} rounds, ${failures.length} wrong, ${broken.length} broken`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    const rows: Report["rows"] = [
      ["first, with early-ack planted: kills that caught it", `${seen.caught} of ${seen.of}`],
      ["kills", counted()],
    ];
    for (const [name, rounds] of sums) {
      const total = (part: "asks" | "answers") => rounds.reduce((sum, round) => sum + round[part], 0);
      const wrong = KINDS.slice(0, 3).map((kind) => `${rounds.flatMap((round) => round[kind]).length} ${kind}`);
      const unseen = Object.entries(
        Object.groupBy(
          rounds.flatMap((round) => round.unseen),
          (cause) => cause,
        ),
      );
      const causes = unseen.map(([cause, all]) => `${all?.length} ${cause}`).join(" ") || "0";
      rows.push([
        name,
        `${victims(rounds)}; ${rounds.length} rounds, ${total("asks")} asks, ${total("answers")} answers: **${wrong.join(", ")}**, unseen ${causes}`,
      ]);
    }
    rows.push(["rounds that broke", broken.length]);
    const each = (processorSeconds() - before) / Math.max(1, counted());
    rows.push(["processor time for each kill, what it interrupts and its start included", `${each.toFixed(2)} s`]);
    return { rows, failures: [...failures, ...broken], counted: counted() };
  },
};

/** Of this process and of all it has started and seen end. */
function processorSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ").slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

function victims(rounds: readonly Round[]): string {
  const sum: Record<string, number> = {};
  for (const { kills } of rounds) for (const [victim, n] of Object.entries(kills)) sum[victim] = (sum[victim] ?? 0) + n;
  return Object.entries(sum)
    .map(([victim, n]) => `${n} ${victim}`)
    .join(", ");
}
