import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { AGENTS } from "../agents/agents.ts";
import type { Pane } from "../core/ask.ts";
import type { Question } from "../core/question.ts";
import { openPane } from "../keys/pane.ts";
import { readPane } from "../keys/read-pane.ts";
import type { Screen } from "../keys/screen.ts";
import { nameProcess, type ProcessName } from "../machine/process.ts";
import { openTranscript } from "./transcripts.ts";

/** A question that an agent's own record holds and that nobody has answered. */
export type Unanswered = { key: string; questions: Question[]; session: string; transcript: string };
export type PaneFacts = {
  /** With the pid of its server. */
  pane: Pane;
  cwd: string;
  process: ProcessName;
  env: Record<string, string | undefined>;
};

/** A session that asks right now has written lately; older files are not opened. */
const RECENT_MS = 7 * 86_400_000;
const MOST_RECORDS = 20;
/** The only values of a process in the pane that are looked at: where its agent keeps its records. */
const LOOKED_AT = /^(HOME|CLAUDE_CONFIG_DIR)=/;

/** Where the program in a pane runs. Undefined: there is no such pane, or another server has taken the place of its own. */
export function factsOfPane({ server, id, pid: known }: Pane): PaneFacts | undefined {
  const format = "#{pid}\t#{pane_pid}\t#{pane_tty}\t#{pane_current_path}";
  const { stdout, exitCode } = Bun.spawnSync(["tmux", "-S", server, "display-message", "-p", "-t", id, format], {
    stderr: "ignore",
  });
  const [serverPid = "", pid = "", tty = "", cwd = ""] = stdout.toString().trim().split("\t");
  if (exitCode !== 0 || !/^\d+$/.test(pid) || cwd === "") return undefined;
  if (known !== undefined && known !== Number(serverPid)) return undefined;
  const inFront = foreground(tty) ?? Number(pid);
  const pane = { server, id, pid: Number(serverPid) };
  return { pane, cwd: real(cwd), process: nameProcess(inFront), env: environmentOf(inFront) };
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

/** Every open question in the records of sessions that run where this pane does. */
export async function unansweredIn(agent: Agent, { cwd, env }: PaneFacts, now: number): Promise<Unanswered[]> {
  const folder = agent.recordsIn({ cwd, env });
  const found: Unanswered[] = [];
  for (const transcript of recentIn(folder, now)) {
    const record = openTranscript(transcript, agent);
    await record.refresh();
    const session = basename(transcript, ".jsonl");
    for (const { key, questions } of record.unanswered()) found.push({ key, questions, session, transcript });
  }
  return found;
}

function recentIn(folder: string, now: number): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
      .filter(({ at }) => now - at < RECENT_MS)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST_RECORDS)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

/** The process that has the terminal: the agent, where the pane began with a shell. */
function foreground(tty: string): number | undefined {
  const { stdout } = Bun.spawnSync(["ps", "-t", tty.replace(/^\/dev\//, ""), "-o", "pid=,stat="], { stderr: "ignore" });
  const pids = stdout
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, state]) => state?.includes("+"))
    .map(([pid]) => Number(pid));
  return pids[0];
}

function environmentOf(pid: number): Record<string, string | undefined> {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((pair) => LOOKED_AT.test(pair));
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    // Where processes cannot be looked into, the agent is taken to run with the daemon's own.
    return { HOME: process.env["HOME"], CLAUDE_CONFIG_DIR: process.env["CLAUDE_CONFIG_DIR"] };
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
