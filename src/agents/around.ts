import { join, sep } from "node:path";
import type { Ancestor } from "../machine/process/ancestry.ts";
import { homeDir } from "../machine/home.ts";
import type { KnownAgent } from "../machine/process/known-agents.ts";
import type { ProcessName } from "../machine/process/process.ts";
import { sessionAround } from "./agents.ts";

/** What this Parley knows of agents: the processes that run them, their sessions, its own home. */
export type Known = {
  home: string;
  sessionsOf(process: ProcessName): readonly string[];
  isSession(id: string): boolean | Promise<boolean>;
};
/** Sessions and tasks that a process runs inside, nearest first; none: it is a person's. */
export type Around = { sessions: readonly string[]; tasks: readonly string[] };
type Env = Record<string, string | undefined>;

/**
 * Which agents a process was started by, through however many others.
 * Contract: only its own parents count, not who shares its terminal. What its own environment says counts always, what
 * theirs says where it names a session or a task of this Parley.
 */
export async function agentsAround(line: readonly Ancestor[], known: Known): Promise<Around> {
  const [sessions, tasks] = [new Set<string>(), new Set<string>()];
  for (const [i, each] of line.entries()) {
    const named = sessionAround(each.env);
    if (named !== undefined && (i === 0 || (await known.isSession(named)))) sessions.add(named);
    for (const session of known.sessionsOf(each)) sessions.add(session);
    const task = taskIn(each.env, known.home);
    if (task !== undefined) tasks.add(task);
  }
  return { sessions: [...sessions], tasks: [...tasks] };
}

/**
 * The environment that a person gave the outermost agent around: what commands of that agent set is not in it.
 * Undefined: there is no agent around. Empty: it cannot be read any more.
 */
export async function environmentOutside(line: readonly Ancestor[], known: Known): Promise<Env | undefined> {
  let outermost = -1;
  for (const [i, each] of line.entries()) {
    const named = sessionAround(each.env);
    const agent = line[i + 1];
    const isOurs = agent !== undefined && homeDir(agent.env) === known.home;
    if (named !== undefined && (isOurs || (await known.isSession(named)))) outermost = i + 1;
    // A run of a task was given its own by Parley.
    const isAgent = known.sessionsOf(each).length > 0 || taskIn(each.env, known.home) !== undefined;
    if (isAgent) outermost = Math.max(outermost, i);
  }
  return outermost < 0 ? undefined : (line[outermost]?.env ?? {});
}

/** Everything that a run of a task starts carries the folder of the run. */
function taskIn(env: Env, home: string): string | undefined {
  const tasks = join(home, "tasks") + sep;
  const run = env["PARLEY_RUN"];
  return run?.startsWith(tasks) ? run.slice(tasks.length).split(sep)[0] : undefined;
}

export function knownFrom(agents: readonly KnownAgent[], home: string): Known {
  return {
    home,
    sessionsOf: ({ pid, started }) =>
      agents.filter((each) => each.pid === pid && each.started === started).map(({ session }) => session),
    isSession: (id) => agents.some(({ session }) => session === id),
  };
}
