import { join } from "node:path";
import { type Job, TICKETS } from "./plan.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";
import { type Spare, watchCores } from "./spare.ts";

/** `cpu`: seconds of a core, its own and of what it started and waited for; what outlived it is not in them. */
export type Ended = Outcome & { job: Job; seconds: number; cpu: number };

/** Both are called in the order in which it happens. */
export type Follow = { started(job: Job): void; ended(end: Ended): void };

/** A test waits for what it looks at however long that takes; a file that hangs is ended at last. */
const TEST_MS = 10 * 60_000;
const JOB_MS = 25 * 60_000;
/** What lives for a second gains nothing by the second compiler and by several who collect garbage; without them a daemon's start costs two fifths less. */
export const SHORT_LIVED = { BUN_JSC_useDFGJIT: "0", BUN_JSC_numberOfGCMarkers: "1" };

/**
 * Contract: jobs start in their order, the next one while a ticket is left, so that at most its own are out above all of them; one
 * without tickets starts at once. Each time the cores were found idle one more is started, until twice as many are out: many
 * tests wait for most of their time.
 */
export async function runJobs(
  root: string,
  jobs: readonly Job[],
  follow: Follow,
  spare: Spare = watchCores(),
): Promise<Ended[]> {
  const [waiting, running, ended]: [Job[], Set<Promise<void>>, Ended[]] = [[...jobs], new Set(), []];
  let free = TICKETS;
  while (waiting.length > 0 || running.size > 0) {
    const [job] = waiting;
    if (!job) {
      await Promise.race(running);
      continue;
    }
    const isDue = () => free > 0 || job.tickets === 0 || running.size === 0;
    if (!isDue()) {
      const isIdle = await Promise.race([spare.isIdle(), ...running]);
      if (!isDue() && !(isIdle === true && job.tickets <= TICKETS + free)) continue;
    }
    waiting.shift();
    free -= job.tickets;
    follow.started(job);
    const run = runJob(root, job).then((end) => {
      free += job.tickets;
      running.delete(run);
      ended.push(end);
      follow.ended(end);
    });
    running.add(run);
  }
  spare.end();
  return ended;
}

async function runJob(root: string, job: Job): Promise<Ended> {
  const started = performance.now();
  const command = [
    process.execPath,
    "test",
    "--isolate",
    `--timeout=${TEST_MS}`,
    ...job.files.map((file) => `./${file}`),
  ];
  const child = Bun.spawn(command, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, FORCE_COLOR: "0", ...(job.startsMany && SHORT_LIVED) },
  });
  const late = setTimeout(() => child.kill("SIGKILL"), JOB_MS);
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  clearTimeout(late);
  process.off("exit", end);
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  return { job, seconds: (performance.now() - started) / 1000, cpu, ...readOutcome(`${out}${err}`, code) };
}

/** Whole paths run as they are, words choose by name; nothing that matches is a mistake, not a success. */
export function choose(root: string, files: readonly string[], words: readonly string[]): string[] {
  if (words.length === 0) return [...files];
  const plain = words.map((word) => word.replace(`${root}/`, "").replace(/^\.\//, ""));
  return files.filter((file) => plain.some((word) => file.includes(word)));
}

export const sizeIn = (root: string) => (file: string) => Bun.file(join(root, file)).size;
