import { isUp } from "../../client/wire.ts";
import type { ConfigProblem } from "../../core/config/view.ts";
import type { Context } from "./context.ts";

/** Which settings a command reads, by the beginning of their keys; empty: all of them. */
const READS: Record<string, readonly string[]> = {
  up: [],
  restart: [],
  autopilot: ["autopilot"],
  accept: ["autopilot"],
  undo: ["autopilot"],
  explain: ["autopilot"],
  digest: ["autopilot", "notify.digest", "notify.digest_to"],
  grants: ["approvals"],
  setup: ["approvals"],
  sessions: ["inbox"],
  notify: ["notify"],
  phone: ["web", "notify.push", "notify.telegram"],
  run: ["tasks"],
  task: ["tasks"],
  tasks: ["tasks"],
  open: ["port", "web"],
  keys: ["keys"],
  watch: ["keys"],
  logs: ["log"],
  prune: ["retention"],
};

type Wanted = Pick<Context, "client" | "paths" | "terminal">;

/** What is wrong in the settings files, as the daemon sees them; without a daemon, as they are. */
export async function configProblems({ client, paths, terminal }: Wanted): Promise<ConfigProblem[]> {
  if (!(await isUp(paths))) return problemsInFiles(terminal);
  // A daemon of an older version, or one that is just going, has nothing to say here.
  return client.call("config", { query: { cwd: terminal.cwd } }).then(
    ({ problems }) => problems,
    () => [],
  );
}

async function problemsInFiles({ env, cwd }: Wanted["terminal"]): Promise<ConfigProblem[]> {
  const { createConfigFiles } = await import("../../machine/settings/config-file.ts");
  return (await createConfigFiles({ env, cwd }).current(cwd)).problems;
}

/** Says on the error output what is wrong with the settings that this command reads. Contract: never throws. */
export async function sayConfigProblems(command: string, context: Wanted): Promise<void> {
  const reads = Object.hasOwn(READS, command) ? READS[command] : undefined;
  if (!reads) return;
  const { errStyle, width, err } = context.terminal;
  // A call could start the daemon before the command that is there for it, and in another way.
  const isStarting = command === "up" || command === "restart";
  const look = isStarting ? problemsInFiles(context.terminal) : configProblems(context);
  const problems = await look.catch(() => []);
  const isRead = ({ key }: ConfigProblem) =>
    key === undefined || reads.length === 0 || reads.some((part) => key === part || key.startsWith(`${part}.`));
  const told = problems.filter(isRead);
  if (told.length === 0) return;
  const { hang } = await import("../terminal/columns.ts");
  const { problemLine } = await import("../../core/words/problem-line.ts");
  const { safeLine } = await import("../../core/text/text.ts");
  for (const problem of told)
    err(`${hang(`${errStyle.red("✗")} `, safeLine(problemLine(problem), { max: 600 }), width).join("\n")}\n`);
}
