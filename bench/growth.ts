import { ANSWER } from "./asker.ts";
import { putHistory } from "./history.ts";
import type { Line } from "./line.ts";
import { median, ms, type Part, type Row } from "./row.ts";
import { openStage, type Stage } from "./stage.ts";

const SIZES = [1000, 10_000, 100_000, 1_000_000] as const;
const TIMES = 100;
const OPEN = 10;
/** What a look costs with a million behind it, against a thousand. */
const MOST_GROWTH = 1.5;

const ABOUT = {
  ls: "GET /api/asks, as `parley ls`",
  status: "GET /api/status",
  settle: "settle an ask, with fsync",
};
type What = keyof typeof ABOUT;
/** Does it once and says how long it took. */
type Timed = (what: What) => Promise<number>;

export const growth: Part = {
  name: "growth",
  about: "what looking and answering cost as history grows",
  notes: [
    `History: settled asks with four events each, made through the store; ${OPEN} asks are open. Medians of ${TIMES} requests over one connection, taken in turns from four daemons, so that neither the start of a process nor what else the machine does hides a difference. Flat: a million cost at most ${MOST_GROWTH} times what a thousand cost.`,
  ],
  async run(say) {
    const stages = await Promise.all(SIZES.map(() => openStage()));
    try {
      const daemons: Timed[] = [];
      for (const [i, stage] of stages.entries()) {
        const size = SIZES[i] ?? SIZES[0];
        say(`${size.toLocaleString("en")} settled asks`);
        await putHistory(size, stage.paths.database, say);
        await stage.start();
        // The events are counted once, in the background; that is not what is measured here.
        await counted(stage);
      }
      for (const stage of stages) daemons.push(await prepared(stage));
      say("in turns");
      const rows: Row[] = [];
      for (const what of Object.keys(ABOUT) as What[]) rows.push(row(what, await inTurns(daemons, what)));
      return rows;
    } finally {
      await Promise.all(stages.map((stage) => stage.dispose()));
    }
  },
};

function row(what: What, medians: readonly number[]): Row {
  const [least = 0, most = 0] = [medians[0], medians.at(-1)];
  return {
    what: `${ABOUT[what]}, with 10³ / 10⁴ / 10⁵ / 10⁶ settled`,
    measured: medians.map(ms).join(" / "),
    aim: `flat (≤ ${MOST_GROWTH} ×)`,
    met: most <= least * MOST_GROWTH,
  };
}

async function inTurns(daemons: readonly Timed[], what: What): Promise<number[]> {
  const taken = daemons.map((): number[] => []);
  for (let i = 0; i < TIMES; i++) for (const [n, timed] of daemons.entries()) taken[n]?.push(await timed(what));
  return taken.map(median);
}

async function prepared({ open, tokens }: Stage): Promise<Timed> {
  const line = await open();
  const { agent, human } = tokens();
  const ids = await askMany(line, agent, TIMES + OPEN);
  const requests: Record<What, () => ReturnType<Line["send"]>> = {
    ls: () => line.send("GET", `/api/asks?limit=${OPEN}`, human),
    status: () => line.send("GET", "/api/status", human),
    settle: () => line.send("POST", `/api/asks/${ids.pop()}/settle`, human, ANSWER),
  };
  return async (what) => {
    const since = performance.now();
    const { status, body } = await requests[what]();
    if (status !== 200) throw new Error(body);
    return performance.now() - since;
  };
}

async function counted({ open, tokens }: Stage): Promise<void> {
  for (;;) {
    const line = await open();
    const { body } = await line.send("GET", "/metrics", tokens().human);
    line.close();
    if (/^parley_log_counted 1$/m.test(body)) return;
    await Bun.sleep(500);
  }
}

async function askMany(line: Line, token: string, count: number): Promise<string[]> {
  const options = ["A", "B", "C"].map((label) => ({ label, description: "What it means" }));
  const body = JSON.stringify({ questions: [{ question: "Which?", header: "Which", multiSelect: false, options }] });
  const ids: string[] = [];
  while (ids.length < count) {
    const reply = await line.send("POST", "/api/asks", token, body);
    ids.push((JSON.parse(reply.body) as { id: string }).id);
  }
  return ids;
}
