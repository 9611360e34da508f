import { readRegistration } from "../../../src/machine/home.ts";
import { percentile } from "../../../bench/row.ts";
import type { Campaign, Report } from "../../../scripts/campaign.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import { cancelTasks } from "../../e2e/cancel-tasks.ts";
import { createProgram } from "../../e2e/program.ts";
import { openTaskScene } from "../../e2e/task-scene.ts";
import { eventually } from "../../patience.ts";
import { createRepository } from "../../git-repository.ts";
import { openCrowd, type Times } from "./crowd.ts";
import { openSlots } from "./slots.ts";
import { openWatch, type Sample } from "./watch.ts";

const SIZES = { held: 200, rate: 200, tasks: 20, think: 240, every: 60 };
/** A person is slower than this: most tasks are parked, and resumed with their answer. */
const PARK_SHARE = 0.5;
/** What a run may end with above what it had in its first tenth. */
const MORE_MEMORY = 1.4;
const MORE_DESCRIPTORS = 40;

/** A working day: everybody asks, answers and looks on, for hours; what it costs at the start and at the end. */
export const hours: Campaign = {
  title: "Hours in one piece",
  counts: "hours",
  usual: 2,
  isSpan: true,
  sizes: SIZES,
  page: "docs/reliability.md",
  async run({ until, progress, sizes = {} }): Promise<Report> {
    const { held, rate, tasks, think, every } = { ...SIZES, ...sizes };
    const program = createProgram();
    createRepository(`${program.user}/shop`, { "README.md": "# A shop\n" });
    const settings = `limit = ${tasks + 1}\npark_after_seconds = ${Math.floor(think * PARK_SHARE)}`;
    const scene = await openTaskScene(settings, {}, program);
    const samples: Sample[] = [];
    const failures: string[] = [];
    let stop = false;
    const end = () => void (stop = true);
    process.once("SIGTERM", end).once("SIGINT", end);
    try {
      const [watch, crowd] = [await openWatch(scene), openCrowd(scene, { held, perMinute: rate })];
      const slots = openSlots(scene, { tasks, thinkMs: think * 1000 });
      const first = scene.registration().process.pid;
      const started = performance.now();
      const wrong = () => [...crowd.wrong, ...slots.wrong];
      // Even where the machine is slow: everybody was answered, and tasks have come to their end.
      const isEnough = () => stop || (performance.now() > until && crowd.settled() > held && slots.done() >= tasks);
      while (samples.length < 2 || (!isEnough() && wrong().length === 0)) {
        const next = performance.now() + every * 1000;
        while (performance.now() < next && !isEnough() && wrong().length === 0) await Bun.sleep(200);
        const at = performance.now() - started;
        samples.push(await watch.sample({ at, settled: crowd.settled(), times: crowd.take() }));
        progress(lineOf(samples, crowd.held(), slots.done()));
        if (readRegistration(scene.paths)?.process.pid !== first)
          failures.push("the daemon is another one than at first");
      }
      for (const problem of wrong()) progress(`✗ ${problem}`);
      progress("everybody goes home");
      await Promise.all([crowd.end(), slots.end()]);
      await cancelTasks(scene.client());
      failures.push(...wrong(), ...(await watch.unseen()), ...growth(samples));
      await watch.close();
      await eventually(async () => {
        const { asks } = await scene.client().call("listAsks", { query: { state: "active", limit: 100 } });
        if (asks.length > 0) throw new Error(asks.map(({ id, state }) => `${id} is still ${state}`).join(", "));
      }).catch((error: Error) => failures.push(error.message));
      await scene.terminate();
      const store = openSqlite(scene.paths.database);
      failures.push(...(await store.problems()));
      await store.close();
      await scene.start();
      const rows = table(samples, { held, rate, tasks, done: slots.done(), wrong: failures.length });
      return { rows, failures, counted: crowd.settled() };
    } finally {
      process.off("SIGTERM", end).off("SIGINT", end);
      await scene.dispose();
    }
  },
};

/** The first and the last tenth of the run, the time in which everything was started left out. */
function ends(samples: readonly Sample[]): [start: Sample[], end: Sample[]] {
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  return [samples.slice(samples.length > 4 ? 1 : 0).slice(0, tenth), samples.slice(-tenth)];
}
const mean = (some: readonly Sample[], of: (sample: Sample) => number) =>
  some.reduce((sum, sample) => sum + of(sample), 0) / Math.max(1, some.length);

function growth(samples: readonly Sample[]): string[] {
  const [start, end] = ends(samples);
  const [memory, later] = [mean(start, (s) => s.memory), mean(end, (s) => s.memory)];
  const more = mean(end, (s) => s.descriptors) - mean(start, (s) => s.descriptors);
  return [
    ...(later > MORE_MEMORY * memory ? [`memory grew from ${memory.toFixed(0)} to ${later.toFixed(0)} MB`] : []),
    ...(more > MORE_DESCRIPTORS ? [`${more.toFixed(0)} more descriptors at the end`] : []),
  ];
}

function lineOf(samples: readonly Sample[], held: number, done: number): string {
  const last = samples.at(-1);
  if (!last) return "";
  const { memory, descriptors, database, busy, page, inbox, settled, times, load } = last;
  return [
    `${settled} answered, ${held} held, ${done} tasks done`,
    `daemon ${memory.toFixed(0)} MB, ${descriptors} descriptors, ${busy.toFixed(0)} % of a core`,
    `database ${database.toFixed(1)} MB, page ${page.toFixed(1)} MB, inbox ${inbox.toFixed(0)} MB`,
    `ask ${both(times.ask)}, answer ${both(times.answer)} ms, load ${load.toFixed(1)}`,
  ].join("; ");
}

const both = (values: readonly number[]) =>
  values.length === 0 ? "–" : `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.99).toFixed(1)}`;

type Facts = { held: number; rate: number; tasks: number; done: number; wrong: number };
function table(samples: readonly Sample[], { held, rate, tasks, done, wrong }: Facts): Report["rows"] {
  const [start, end] = ends(samples);
  const [first, last] = [samples[0], samples.at(-1)];
  const span = ((last?.at ?? 0) - (first?.at ?? 0)) / 60_000;
  const answered = (last?.settled ?? 0) - (first?.settled ?? 0);
  const row = (unit: string, digits: number, of: (sample: Sample) => number): string => {
    const most = Math.max(...samples.map(of)).toFixed(digits);
    return `${mean(start, of).toFixed(digits)} → ${mean(end, of).toFixed(digits)} ${unit}, most ${most}`;
  };
  const times = (what: keyof Times) =>
    [start, end].map((some) => both(some.flatMap((sample) => sample.times[what]))).join(" → ");
  const perAsk = (((last?.database ?? 0) - (first?.database ?? 0)) * 1024) / Math.max(1, answered);
  return [
    ["load", `${held} held, ${rate} answered and asked a minute, ${tasks} tasks, page and inbox open`],
    ["in one piece", `${((last?.at ?? 0) / 60_000).toFixed(0)} minutes`],
    ["answered", `${last?.settled}, ${(answered / Math.max(span, 1e-9)).toFixed(0)} a minute`],
    ["tasks that came to their end", done],
    ["memory of the daemon, first tenth → last tenth", row("MB", 0, (s) => s.memory)],
    ["its descriptors", row("", 0, (s) => s.descriptors).replace(" ,", ",")],
    ["its processor time, share of a core", row("%", 1, (s) => s.busy)],
    ["database", `${row("MB", 1, (s) => s.database)}: ${perAsk.toFixed(1)} KB for each answer`],
    ["memory of the page, garbage collected", row("MB", 1, (s) => s.page)],
    ["memory of the inbox", row("MB", 0, (s) => s.inbox)],
    ["a question until it is acknowledged, p50 / p99", `${times("ask")} ms`],
    ["an answer until it is acknowledged", `${times("settle")} ms`],
    ["an answer until who asked has it", `${times("answer")} ms`],
    ["the list of open questions", `${times("list")} ms`],
    ["load average of the machine (other work included)", row("", 1, (s) => s.load).replace(" ,", ",")],
    ["wrong", wrong],
  ];
}
