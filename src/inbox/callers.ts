import { basename } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { agentsAround, environmentOutside, type Known, knownFrom } from "../agents/around.ts";
import { ParleyError } from "../core/error.ts";
import type { Actor } from "../core/ask/outcome.ts";
import { ancestryOf } from "../machine/process/ancestry.ts";
import { type KnownAgent, readKnownAgents, writeKnownAgents } from "../machine/process/known-agents.ts";
import { isAlive, nameProcess, parentOf, wordsOf } from "../machine/process/process.ts";
import { CALLER } from "../protocol/address.ts";
import type { HookCall } from "../protocol/hook.ts";
import { type Changing, isForAgents, refusal, WHO_MAY } from "../protocol/who-may.ts";
import type { Store } from "../store/store.ts";

/** Who calls: a person, where no session is named. */
export type Caller = {
  /** Agents' sessions that the calling process runs inside, nearest first. */
  sessions: readonly string[];
  /** Of the outermost of them: what a person gave it. */
  environment(): Promise<Record<string, string | undefined>>;
};
/** Of a call that changes nothing it is not asked. */
export const NOBODY: Caller = { sessions: [], environment: async () => ({}) };
export type Callers = ReturnType<typeof createCallers>;
/** Of one process: the first, and the last ones. */
const MOST_SESSIONS = 20;
const SAFE_PID = /^\d{1,10}$/;

/**
 * Tells people from agents: by the parents of the calling process, which no command of an agent can change.
 * A guard, not a boundary: who takes the human token and speaks HTTP says what they like.
 */
export function createCallers({ store, home, file }: { store: Store; home: string; file: string }) {
  let agents: readonly KnownAgent[] = readKnownAgents(file);
  const self = nameProcess(process.pid);
  const known: Known = {
    home,
    sessionsOf: (name) => knownFrom(agents, home).sessionsOf(name),
    // One that has ended left its name in what it started, as in a tmux server that a person goes on working in.
    async isSession(id) {
      const session = await store.session(id);
      return session !== undefined && session.endedAt === undefined;
    },
  };

  function lineOf(request: Request) {
    const [pid = "", started] = (request.headers.get(CALLER.process) ?? "").split(" ");
    const line = SAFE_PID.test(pid) ? ancestryOf(Number(pid), self) : [];
    // A process of another container has a number of its own there, which here is somebody else's.
    return started === undefined || line[0]?.started === started ? line : [];
  }

  /** What a session's own process starts is no other process of that session. */
  const isInside = (pid: number, session: string) =>
    ancestryOf(parentOf(pid) ?? 0).some((each) => known.sessionsOf(each).includes(session));

  return {
    async of(request: Request): Promise<Caller> {
      const { headers } = request;
      // Who says nothing of itself is inside nothing that is known.
      if (!headers.has(CALLER.process) && !headers.has(CALLER.session)) return NOBODY;
      const line = lineOf(request);
      const { sessions, tasks } = await agentsAround(line, known);
      const named = decoded(request.headers.get(CALLER.session));
      const own = await Promise.all(tasks.map(async (id) => (await store.task(id))?.session ?? `task ${id}`));
      return {
        sessions: [...new Set([...named, ...sessions, ...own])],
        environment: async () => (await environmentOutside(line, known)) ?? {},
      };
    },
    /** Did the process that runs this session call the hook, as far as that can be told? */
    isFrom(session: string, { pid, hook }: HookCall["facts"]): boolean {
      const mine = agents.filter((each) => each.session === session && isAlive(each));
      if (mine.length === 0 || pid === undefined) return true;
      return mine.some((each) => each.pid === pid) && (hook === undefined || parentOf(hook) === pid);
    },
    /**
     * What runs a session, as its hook says. Contract: nothing said later takes a process back, so that no agent makes
     * itself forgotten; a hook that a person starts by hand does not make an agent of their shell.
     */
    async note(session: string, agent: Agent, { pid, hook, marked }: HookCall["facts"]): Promise<void> {
      if (pid === undefined) return;
      const name = nameProcess(pid);
      const newest = agents.find((each) => each.pid === pid && each.started === name.started);
      if (newest?.session === session) return;
      const isAgent = () =>
        wordsOf(pid)
          .slice(0, 2)
          .some((word) => basename(word) === agent.program);
      // What costs least to find out comes first: hooks of a process that is none come again and again.
      if ((hook !== undefined && parentOf(hook) !== pid) || (!marked && !isAgent()) || isInside(pid, session)) return;
      const others = agents.filter((each) => each.session !== session || each.pid !== pid).filter(isAlive);
      const own = others.filter((each) => each.pid === pid);
      const between = new Set(own.slice(MOST_SESSIONS - 2, -1));
      agents = [{ ...name, session }, ...others.filter((each) => !between.has(each))];
      await writeKnownAgents(file, agents);
    },
  };
}

/** Contract: throws when only a person may do this and somebody else wants to. */
export function refuseAgents(name: Changing, { sessions }: Caller): void {
  if (sessions.length > 0 && !isForAgents(WHO_MAY[name])) throw new ParleyError("forbidden", refusal(WHO_MAY[name]));
}

/** Who is recorded. `named`: the session that the call itself says it comes from. */
export function actorOf({ sessions }: Pick<Caller, "sessions">, surface: string, named?: string): Actor {
  const [session, ...around] = new Set([...(named === undefined ? [] : [named]), ...sessions]);
  if (session === undefined) return { type: "person", surface };
  return { type: "agent", surface, session, ...(around.length > 0 && { around }) };
}

function decoded(session: string | null): string[] {
  if (session === null) return [];
  try {
    return [decodeURIComponent(session).slice(0, 200)];
  } catch {
    return ["unknown"];
  }
}
