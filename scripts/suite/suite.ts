// `bun scripts/suite/suite.ts [--quick] [word …]`: every test, a few files at a time; words choose files by name.
import { join } from "node:path";
import { filesBelow, isQuick, plan, TICKETS } from "./plan.ts";
import { buildProgram } from "./program.ts";
import { choose, type Ended, runJobs, sizeIn } from "./run-jobs.ts";
import { countWork } from "./spare.ts";

const root = join(import.meta.dir, "../..");
const words = process.argv.slice(2).filter((word) => word !== "--quick");
const all = await filesBelow(root);
const files = choose(root, process.argv.includes("--quick") ? all.filter(isQuick) : all, words);
if (files.length === 0) {
  console.error(`No test file has ${words.join(" or ")} in its name.`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}
const program = await buildProgram(root);
process.once("exit", program.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.env["PARLEY_TEST_PROGRAM"] = program.main;
process.env["PARLEY_TEST_COMPILED"] = program.compiled;
const jobs = plan(files, sizeIn(root));
const [started, worked] = [performance.now(), countWork()];
console.error(`${files.length} files in ${jobs.length} processes, ${TICKETS} tickets`);
let done = 0;
// A file of real agents may take minutes: a person sees that it goes on.
const look = setInterval(() => console.error(`      ${clock()} running: ${[...now].join(", ")}`), 60_000);
const now = new Set<string>();
const ended = await runJobs(root, jobs, {
  started: (job) => void now.add(job.name),
  ended(end) {
    done++;
    now.delete(end.job.name);
    tell(end);
  },
});
clearInterval(look);
sum(ended);

/** Contract: a file that failed is shown whole, at once; one that passed is a line. */
function tell({ job, seconds, cpu, passed, failed, skipped, output }: Ended): void {
  const counts = [
    `${passed} passed`,
    failed.length && `${failed.length} FAILED`,
    skipped.length && `${skipped.length} skipped`,
  ];
  const place = `[${String(done).padStart(String(jobs.length).length)}/${jobs.length}]`;
  if (failed.length > 0) console.error(output);
  console.error(
    `${place} ${clock()} ${job.name}: ${counts.filter(Boolean).join(", ")} (${seconds.toFixed(1)} s, ${cpu.toFixed(1)} of a core)`,
  );
}

function sum(results: readonly Ended[]): void {
  const most = (by: "seconds" | "cpu") =>
    results
      .toSorted((a, b) => b[by] - a[by])
      .slice(0, 5)
      .map((result) => `${result.job.name} ${result[by].toFixed(0)} s`)
      .join(", ");
  const failed = results.flatMap(({ job, failed: titles }) => titles.map((title) => `${job.name}: ${title}`));
  const skipped = results.flatMap((result) => result.skipped);
  console.error(
    `\n${clock()} in all, ${Math.round(results.reduce((total, { cpu }) => total + cpu, 0) / 60)} min of a core and what outlived its file, the cores at work for ${Math.round(100 * worked())} % of the time; longest: ${most("seconds")}; of a core: ${most("cpu")}`,
  );
  if (skipped.length > 0) console.error(`\nSkipped:\n${reasons(skipped).join("\n")}`);
  if (failed.length > 0) console.error(`\nFailed:\n${failed.map((line) => `  ${line}`).join("\n")}`);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  console.log(`${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`);
  process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
}

/** Titles say why they are skipped: `… (skipped: no tmux)`; `(not: …)` is a gap that a contract declares. */
function reasons(titles: readonly string[]): string[] {
  const counted = new Map<string, number>();
  for (const title of titles) {
    const reason = title.match(/\((?:skipped|not): (.*)\)$/)?.[1] ?? `no reason given: ${title}`;
    counted.set(reason, (counted.get(reason) ?? 0) + 1);
  }
  return [...counted].map(([reason, count]) => `  ${count} × ${reason}`);
}

function clock(): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
