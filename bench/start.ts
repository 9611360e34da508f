import { putHistory } from "./history.ts";
import { atMost, median, ms, type Part } from "./row.ts";
import { BUN, openStage, SOURCE } from "./stage.ts";

const ASKS = 250_000;
const TIMES = 5;
const LIMIT_MS = 1000;

export const start: Part = {
  name: "start",
  about: "start-up and the first `ls` with a million events",
  notes: [
    "Start: the daemon is started on a database with 1,000,000 events that is in the page cache; until it answers. First `ls`: the command finds no daemon, starts it and prints.",
  ],
  async run(say) {
    const stage = await openStage();
    try {
      await putHistory(ASKS, stage.paths.database, say);
      const [starts, lists]: [number[], number[]] = [[], []];
      for (let i = 0; i < TIMES; i++) {
        say(`start ${i + 1} of ${TIMES}`);
        starts.push(await timed(stage.start));
        await stage.stop();
        lists.push(await timed(() => run([...SOURCE, "ls"], stage.env)));
        await run([...SOURCE, "down"], stage.env);
        // What was stopped by hand is started by nobody else.
        await run(["rm", "-f", stage.paths.stopped], stage.env);
      }
      const floor = median(await times(TIMES, () => run([...BUN, "-e", "0"], stage.env)));
      return [
        {
          what: "start of the daemon with 1,000,000 events",
          measured: ms(median(starts)),
          beside: `an empty Bun: ${ms(floor)}`,
          aim: `≤ ${LIMIT_MS / 1000} s`,
          ...atMost(median(starts), LIMIT_MS),
        },
        {
          what: "the same with the first `parley ls`, which starts it",
          measured: ms(median(lists)),
          aim: `≤ ${LIMIT_MS / 1000} s`,
          ...atMost(median(lists), LIMIT_MS),
        },
      ];
    } finally {
      await stage.dispose();
    }
  },
};

async function times(count: number, work: () => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) taken.push(await timed(work));
  return taken;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

async function run(command: string[], env: Record<string, string>): Promise<void> {
  const child = Bun.spawn(command, { env, stdio: ["ignore", "ignore", "inherit"] });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: exit code ${child.exitCode}`);
}
