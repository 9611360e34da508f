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

/**
 * Contract: never more tickets out than there are, but that one more job is started each time the cores were found idle,
 * until twice as many are out: many tests wait for most of their time. A job that needs more than all of them runs alone.
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
    const within = (tickets: number) => waiting.findIndex((job) => job.tickets <= tickets);
    let next = running.size === 0 ? 0 : within(free);
    if (next < 0 && waiting.length > 0) {
      const isIdle = await Promise.race([spare.isIdle(), ...running]);
      next = isIdle === true ? within(Math.min(TICKETS, TICKETS + free)) : within(free);
    }
    const [job] = next < 0 ? [] : waiting.splice(next, 1);
    if (!job) {
      if (waiting.length === 0 || free <= -TICKETS) await Promise.race(running);
      continue;
    }
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
    env: { ...process.env, FORCE_COLOR: "0" },
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
