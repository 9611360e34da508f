// The same daemon with a hundred times more behind it: events, sessions and tasks at once.
import { makeId } from "../src/core/id.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { ANSWER } from "./asker.ts";
import { putHistory } from "./history.ts";
import { median, ms, type Part, type Row } from "./row.ts";
import { openStage, residentKb, type Stage } from "./stage.ts";

/** Settled asks; a session has twenty of them, an ask four events. */
const SIZES = [
  { asks: 25_000, tasks: 100 },
  { asks: 2_500_000, tasks: 10_000 },
] as const;
const [STARTS, TIMES] = [5, 200];
const MOST_GROWTH = 1.5;
const BATCH = 1000;

const ABOUT = {
  start: "start of the daemon",
  ask: "POST /api/asks, with fsync",
  settle: "settle it, with fsync",
  ls: "GET /api/asks, as `parley ls`",
  sessions: "GET /api/sessions",
  tasks: "GET /api/tasks",
};
type What = keyof typeof ABOUT;

export const scale: Part = {
  name: "scale",
  about: "ten million events, a hundred thousand sessions, ten thousand tasks",
  notes: [
    `Scale: two databases made through the store, of 10⁵ events, 1,250 sessions and 100 tasks and of 10⁷ events, 125,000 sessions and 10,000 tasks, all of them over; in the page cache. Start: until the daemon answers, ${STARTS} times in turns. The others: medians of ${TIMES} requests over one connection, in turns from both daemons, once each has counted its log. Flat: at most ${MOST_GROWTH} times.`,
  ],
  async run(say) {
    const stages = await Promise.all(SIZES.map(() => openStage()));
    const taken = SIZES.map((): Record<What, number[]> => {
      return { start: [], ask: [], settle: [], ls: [], sessions: [], tasks: [] };
    });
    try {
      for (const [i, stage] of stages.entries()) await fill(stage, SIZES[i] ?? SIZES[0], say);
      say("starting in turns");
      for (let turn = 0; turn < STARTS; turn++)
        for (const [i, stage] of stages.entries()) {
          await stage.stop();
          const since = performance.now();
          await stage.start();
          taken[i]?.start.push(performance.now() - since);
        }
      const askers = await Promise.all(stages.map(requestsOf));
      say("asking in turns");
      for (let turn = 0; turn < TIMES; turn++)
        for (const [i, asker] of askers.entries()) await asker((what, time) => taken[i]?.[what].push(time));
      const memory = stages.map(({ pid }) => `${Math.round(residentKb(pid()) / 1024)} MB`);
      return [
        ...(Object.keys(ABOUT) as What[]).map((what) => rowOf(what, taken)),
        { what: "the same: memory of the daemon", measured: memory.join(" / ") },
      ];
    } finally {
      await Promise.all(stages.map((stage) => stage.dispose()));
    }
  },
};

function rowOf(what: What, taken: readonly Record<What, number[]>[]): Row {
  const medians = taken.map((times) => median(times[what]));
  const [least = 0, most = 0] = medians;
  return {
    what: `${ABOUT[what]}, with 10⁵ / 10⁷ events`,
    measured: medians.map(ms).join(" / "),
    aim: `flat (≤ ${MOST_GROWTH} ×)`,
    met: most <= least * MOST_GROWTH,
  };
}

/** The log is counted once, in the background; what it costs is not what is measured here. */
async function fill(stage: Stage, { asks, tasks }: (typeof SIZES)[number], say: (progress: string) => void) {
  say(`${asks.toLocaleString("en")} settled asks`);
  await putHistory(asks, stage.paths.database, say);
  await putTasks(stage, tasks);
  await stage.start();
  const since = performance.now();
  for (;;) {
    const line = await stage.open();
    const { body } = await line.send("GET", "/metrics", stage.tokens().human);
    line.close();
    if (/^parley_log_counted 1$/m.test(body)) break;
    await Bun.sleep(200);
  }
  say(`counted its log in ${((performance.now() - since) / 1000).toFixed(1)} s`);
}

async function putTasks({ paths }: Stage, count: number): Promise<void> {
  const store = openSqlite(paths.database);
  const order = { agent: "claude-code", cwd: paths.home, priority: 0, worktree: false, review: false };
  for (let made = 0; made < count; made += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, count - made) }, (_, i) => {
        const n = made + i;
        const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
        return store.append({
          at: Date.UTC(2026, 0, 1) + n,
          task: {
            id,
            expected: 0,
            events: [
              { type: "task.created", order: { ...order, prompt: `Mend part ${n}`, name: `part ${n}` } },
              { type: "task.ended", state: "done" },
            ],
          },
        });
      }),
    );
  await store.close();
}

/** Each of them once. */
async function requestsOf({ open, tokens }: Stage) {
  const line = await open();
  const { agent, human } = tokens();
  const options = ["A", "B", "C"].map((label) => ({ label, description: "What it means" }));
  const body = JSON.stringify({ questions: [{ question: "Which?", header: "Which", multiSelect: false, options }] });
  return async (took: (what: What, time: number) => void): Promise<void> => {
    const timed = async (what: What, ...request: Parameters<typeof line.send>) => {
      const since = performance.now();
      const reply = await line.send(...request);
      took(what, performance.now() - since);
      if (reply.status !== 200) throw new Error(reply.body);
      return reply.body;
    };
    const { id } = JSON.parse(await timed("ask", "POST", "/api/asks", agent, body)) as { id: string };
    await timed("ls", "GET", "/api/asks?limit=10", human);
    await timed("settle", "POST", `/api/asks/${id}/settle`, human, ANSWER);
    await timed("sessions", "GET", "/api/sessions", human);
    await timed("tasks", "GET", "/api/tasks?limit=10", human);
  };
}
