import { tmuxAtOnce } from "../machine/tmux.ts";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Agent } from "../agents/agent.ts";
import type { AgentRecord, SessionOwner } from "../agents/capability/record.ts";
import { AGENTS } from "../agents/agents.ts";
import type { Pane } from "../core/ask/ask.ts";
import type { Question } from "../core/ask/question.ts";
import { openPane } from "../keys/pane.ts";
import { readPane } from "../keys/read/read-pane.ts";
import type { Screen } from "../keys/screen.ts";
import { isAlive, type ProcessName, startTimeOf } from "../machine/process/process.ts";
import { isProgram, type PaneProcess, processesIn } from "./pane-process.ts";

/** A question that an agent's own record holds and that nobody has answered. */
export type Unanswered = {
  key: string;
  questions: Question[];
  session: string;
  transcript: string;
  /** Who asks, and where it works. */
  process: ProcessName;
  cwd: string;
};
export type PaneFacts = {
  /** With the pid of its server. */
  pane: Pane;
  cwd: string;
  /** Parents first. */
  processes: readonly PaneProcess[];
};
/** The agent among the programs of a pane. `session`: what it has written down to be its own. */
type Owners = NonNullable<AgentRecord["owners"]>;
type Asker = PaneProcess & { session?: string };

/** A session that asks right now has written lately; older files are not opened. */
const RECENT_MS = 7 * 86_400_000;
const MOST_RECORDS = 20;
/** No agent asks so soon after its start; a start is told too early where only whole seconds are known of it. */
const START_MS = 50;
const LARGEST_OWNER = 64 * 1024;

/** Where the program in a pane runs. Undefined: there is no such pane, or another server has taken the place of its own. */
export function factsOfPane({ server, id, pid: known }: Pane): PaneFacts | undefined {
  const format = "#{pid}\t#{pane_pid}\t#{pane_tty}\t#{pane_current_path}";
  const out = tmuxAtOnce(server, "display-message", "-p", "-t", id, format) ?? "";
  const [serverPid = "", pid = "", tty = "", cwd = ""] = out.trim().split("\t");
  if (!/^\d+$/.test(pid) || cwd === "") return undefined;
  if (known !== undefined && known !== Number(serverPid)) return undefined;
  const pane = { server, id, pid: Number(serverPid) };
  return { pane, cwd: real(cwd), processes: processesIn(tty, Number(pid)) };
}

/**
 * What stands there, and whose it is; undefined: nothing that Parley knows.
 * Contract: throws when keys would not reach the program in this pane and it alone.
 */
export async function screenIn(pane: Pane): Promise<{ agent: Agent; screen: Screen } | undefined> {
  const opened = await openPane(pane);
  for (const agent of AGENTS) {
    const { screen } = await readPane(opened, agent.screens ?? []);
    if (screen.type !== "unknown") return { agent, screen };
  }
  return undefined;
}

/**
 * Every question that can stand in this pane: in the records of sessions that run where its agent does. What a session
 * asked that is dead, or lives in another process, is not open here.
 */
export async function unansweredIn(agent: Agent, facts: PaneFacts, now: number): Promise<Unanswered[]> {
  const asker = askerIn(agent, facts);
  const { env, process } = asker;
  const owners = ownersIn(agent, env);
  const folders = [...new Set([real(asker.cwd ?? facts.cwd), facts.cwd])];
  const found: (Unanswered & { at: number })[] = [];
  for (const cwd of folders)
    for (const transcript of recentIn(agent.record?.folderOf?.({ cwd, env }), now)) {
      const record = agent.record?.open(transcript);
      await record?.refresh();
      const session = basename(transcript, ".jsonl");
      for (const { key, questions, at } of record?.unanswered() ?? [])
        found.push({ key, questions, session, transcript, process, cwd, at });
    }
  const since = (startTimeOf(process.pid, now) ?? 0) - START_MS;
  const own = found.filter(({ session }) => session === asker.session);
  const lately = own.filter(({ at }) => at >= since);
  // A session that was resumed still holds what it asked when it was killed. Where the clock was moved, all of it counts.
  if (own.length > 0) return lately.length > 0 ? lately : own;
  return found.filter(({ session, at }) => at >= since && !owners.some((owner) => owner.session === session));
}

/** By what it has written down itself, else by its name; else what was started first. */
function askerIn(agent: Agent, { processes, cwd }: PaneFacts): Asker {
  for (const each of processes) {
    const owners = agent.record?.owners;
    const owner = owners && readOwner(owners, owners.pathOf(each.process.pid, each.env));
    if (owner && isSame(owner, each.process)) return { ...each, session: owner.session };
  }
  const named = processes.find((each) => isProgram(each, agent.program));
  return named ?? processes[0] ?? { process: { pid: 0 }, args: "", cwd, env: {} };
}

/** A pid may be somebody else's by now. */
function isSame({ pid, started }: SessionOwner, process: ProcessName): boolean {
  const isKnown = started !== undefined && process.started !== undefined;
  return pid === process.pid && isAlive(process) && (!isKnown || started === process.started);
}

function ownersIn(agent: Agent, env: PaneProcess["env"]): SessionOwner[] {
  const owners = agent.record?.owners;
  if (!owners) return [];
  const folder = owners.folder(env);
  return namesIn(folder).flatMap((name) => readOwner(owners, join(folder, name)) ?? []);
}

function readOwner(owners: Owners, path: string): SessionOwner | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > LARGEST_OWNER) return undefined;
    return owners.read(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function recentIn(folder: string | undefined, now: number): string[] {
  if (folder === undefined) return [];
  return namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found ? [{ path: join(folder, name), at: found.mtimeMs }] : [];
    })
    .filter(({ at }) => now - at < RECENT_MS)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_RECORDS)
    .map(({ path }) => path);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
