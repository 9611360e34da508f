import { Glob } from "bun";
import { cpus } from "node:os";
import { join } from "node:path";

/** What one `bun test` process runs, and how many tickets it takes while it does. `startsMany`: most of its work is the start of programs. */
export type Job = { name: string; files: string[]; tickets: number; startsMany?: boolean };

/** A core carries four tickets: more real agents and browsers at once make each other late, fewer leave it idle. */
export const TICKETS = Number(process.env["PARLEY_TEST_TICKETS"] ?? 4 * cpus().length);
const QUICK = [/^src\//, /^test\/[^/]+\.test\.ts$/];
const HEAVY: [folder: RegExp, tickets: number][] = [
  [/^test\/agents\//, 2],
  [/^test\/fault\//, 2],
  [/^test\/web\//, 2],
  [/^test\/hosts\//, 2],
  [/^test\/ship\//, 2],
  [/^test\/keys\//, 2],
  [/^test\/terminal\//, 1],
  [/^test\/hub\//, 1],
  [/^test\/hostile\//, 1],
  [/^test\/e2e\//, 1],
];
/** They wait for a time to pass, ten seconds for each of a core and more: started first and without a ticket they cost no time. */
export const SLEEPS = [
  "test/hostile/raw-http.test.ts",
  "test/e2e/autopilot-again.test.ts",
  "test/agents/own-timer.test.ts",
  "test/e2e/autopilot-documents.test.ts",
  "test/e2e/task-claim.test.ts",
  "test/fault/task-disk.test.ts",
  "test/e2e/silent-line.test.ts",
  "test/keys/loop.test.ts",
];
/** Twenty seconds or more each when nothing else runs, the longest first; then small files that take ten: so nothing long is left alone at the end. */
export const LONG = [
  "test/ship/package.test.ts",
  "test/agents/keys-shapes.test.ts",
  "test/fault/kill-steps.test.ts",
  "test/e2e/task-kills.test.ts",
  "test/fault/disk.test.ts",
  "test/hosts/claude-code.test.ts",
  "test/agents/autopilot.test.ts",
  "test/agents/watch.test.ts",
  "test/fault/stop-daemon.test.ts",
  "test/web/board-ways.test.ts",
  "test/agents/survival.test.ts",
  "test/agents/task-questions.test.ts",
  "test/agents/keys-crash.test.ts",
  "test/fault/clock.test.ts",
  "test/fault/kill-agent.test.ts",
  "test/agents/answers.test.ts",
  "test/e2e/autopilot-life.test.ts",
  "test/e2e/autopilot-mismatch.test.ts",
  "test/e2e/cli.test.ts",
  "test/e2e/task-unheard.test.ts",
  "test/agents/opencode-race.test.ts",
  "test/agents/task-course.test.ts",
  "test/agents/terminal.test.ts",
  "test/agents/copilot.test.ts",
  "test/e2e/config-mistakes.test.ts",
  "test/web/board.test.ts",
  "test/e2e/ask.test.ts",
  "test/hosts/pi.test.ts",
  "test/e2e/tasks-cli.test.ts",
  "test/e2e/completion.test.ts",
  "test/agents/opencode-ways.test.ts",
  "test/agents/opencode-plugin.test.ts",
  "test/agents/opencode-answers.test.ts",
  "test/agents/opencode-server.test.ts",
  "test/hosts/library.test.ts",
  "test/e2e/brain-claude.test.ts",
  "test/e2e/backup.test.ts",
  "test/e2e/api-events.test.ts",
  "test/fault/model.test.ts",
  "test/e2e/doctor.test.ts",
  "test/e2e/docs-shell.test.ts",
  "test/hostile/output.test.ts",
  "test/e2e/cli-hostile.test.ts",
  "test/hub/postgres-contract.test.ts",
  "test/hub/hub-kills.test.ts",
  "test/e2e/autopilot-night.test.ts",
  "test/hub/postgres-kills.test.ts",
];
const FILES_AT_ONCE = 16;

export async function filesBelow(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["src", "test"])
    for await (const file of new Glob("**/*.test.ts").scan(join(root, folder)))
      if (!file.includes("node_modules/")) found.push(`${folder}/${file}`);
  return found.toSorted();
}

/** Units, contracts, architecture: nothing in them needs more than `npm ci`. */
export const isQuick = (file: string): boolean => QUICK.some((shape) => shape.test(file));

/**
 * Heavy files run alone in their process, quick ones share one. First what only waits, then what is long; the rest is mixed,
 * the larger of each folder first: browsers and agents, which keep a core busy, beside what waits for daemons.
 */
export function plan(files: readonly string[], sizeOf: (file: string) => number): Job[] {
  const [quick, heavy] = [files.filter(isQuick), files.filter((file) => !isQuick(file))];
  const first = [...SLEEPS, ...LONG].filter((file) => heavy.includes(file));
  const folders = HEAVY.map(([folder, tickets]) =>
    heavy
      .filter((file) => folder.test(file) && !first.includes(file))
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .map((file) => alone(file, tickets)),
  );
  const known = new Set([...first, ...folders.flat().map(({ name }) => name)]);
  const others = heavy.filter((file) => !known.has(file)).map((file) => alone(file, 1));
  const shared = Array.from({ length: Math.ceil(quick.length / FILES_AT_ONCE) }, (_, i) => {
    const some = quick.slice(i * FILES_AT_ONCE, (i + 1) * FILES_AT_ONCE);
    return { name: `${some[0]} … (${some.length} files)`, files: some, tickets: 1 };
  });
  return [...first.map((file) => alone(file, ticketsOf(file))), ...mixed([...folders, others, shared])];
}

const ticketsOf = (file: string) =>
  SLEEPS.includes(file) ? 0 : (HEAVY.find(([folder]) => folder.test(file))?.[1] ?? 1);

/** They work in their own process for long, and gain by the second compiler; but one of them starts every command. */
const OWN_WORK = /^test\/(hostile|keys)\/(?!output\.)|^test\/terminal\/dialog-screen\./;

const alone = (file: string, tickets: number): Job => ({
  name: file,
  files: [file],
  tickets,
  startsMany: !OWN_WORK.test(file),
});

/** Each list in its own order, and all of them from beginning to end. */
function mixed<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((one, i) => ({ one, at: (i + 0.5) / list.length })));
  return placed.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}
