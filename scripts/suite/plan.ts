import { Glob } from "bun";
import { cpus } from "node:os";
import { join } from "node:path";

/** What one `bun test` process runs, and how many tickets it takes while it does. */
export type Job = { name: string; files: string[]; tickets: number };

/** A core carries four tickets: more real agents and browsers at once make each other late, fewer leave it idle. */
export const TICKETS = Number(process.env["PARLEY_TEST_TICKETS"] ?? 4 * cpus().length);
const QUICK = [/^src\//, /^test\/[^/]+\.test\.ts$/];
/** What is not long is started in this order. */
const HEAVY: [folder: RegExp, tickets: number][] = [
  [/^test\/agents\/own-timer/, 1],
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
/** Twenty seconds or more each when nothing else runs, the longest first: so nothing long is left alone at the end. */
export const LONG = [
  "test/agents/keys-shapes.test.ts",
  "test/fault/kill-steps.test.ts",
  "test/e2e/autopilot-again.test.ts",
  "test/e2e/task-kills.test.ts",
  "test/agents/own-timer.test.ts",
  "test/fault/disk.test.ts",
  "test/hosts/claude-code.test.ts",
  "test/e2e/autopilot-documents.test.ts",
  "test/e2e/task-claim.test.ts",
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

/** Heavy files run alone in their process, the larger ones first; quick ones share a process. */
export function plan(files: readonly string[], sizeOf: (file: string) => number): Job[] {
  const quick = files.filter(isQuick);
  const rank = (file: string) => HEAVY.findIndex(([folder]) => folder.test(file));
  const place = (file: string) => (LONG.includes(file) ? LONG.indexOf(file) : LONG.length);
  const heavy = files
    .filter((file) => !isQuick(file))
    .toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b) || sizeOf(b) - sizeOf(a));
  return [
    ...heavy.map((file) => ({ name: file, files: [file], tickets: HEAVY[rank(file)]?.[1] ?? 1 })),
    ...Array.from({ length: Math.ceil(quick.length / FILES_AT_ONCE) }, (_, i) => {
      const some = quick.slice(i * FILES_AT_ONCE, (i + 1) * FILES_AT_ONCE);
      return { name: `${some[0]} … (${some.length} files)`, files: some, tickets: 1 };
    }),
  ];
}
