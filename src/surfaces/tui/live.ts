import type { Client } from "../../client/client.ts";
import { ParleyError } from "../../core/error.ts";
import { problemLine } from "../../core/words/problem-line.ts";
import type { GrantView } from "../../protocol/grant.ts";
import type { TaskView } from "../../protocol/task.ts";
import type { AskView, SessionView } from "../../protocol/view.ts";
import type { FirstPage } from "./first-page.ts";

/** What came from the daemon. `away` says why nothing comes; undefined: it is there again. */
export type Heard = {
  asks(asks: readonly AskView[]): void;
  gone(id: string): void;
  sessions(sessions: readonly SessionView[]): void;
  tasks(tasks: readonly TaskView[]): void;
  grants(grants: readonly GrantView[]): void;
  away(why: string | undefined): void;
  /** Everything that waits is here. */
  complete(): void;
  /** What is wrong in the person's settings. */
  mistakes(lines: readonly string[]): void;
};

/** Small enough to answer keys between them. */
const PAGE = 100;
const SETTLED = 200;
const TASKS = { active: 500, over: 100 };
const AT_ONCE = 8;
const PAUSE_MS = 500;
const SETTINGS_MS = 5000;

/**
 * Keeps the inbox the same as the daemon's: the first page, then everything that happened since, and the other pages
 * meanwhile. Contract: nothing is missed, also over a restart of the daemon, which is started when it is away.
 */
export function createLive(client: Client, heard: Heard, signal: AbortSignal) {
  const wanted = new Set<string>();
  let looking = false;
  let sessionsDue = false;
  let tasksDue = false;
  let grantsDue = false;
  let isAway = false;

  async function follow(after: number): Promise<void> {
    let seq = after;
    while (!signal.aborted) {
      try {
        for await (const event of client.events(seq, signal, onLine)) {
          seq = event.seq;
          if (event.ask !== undefined) wanted.add(event.ask);
          if (event.type.startsWith("grant.")) grantsDue = true;
          else if (event.task !== undefined) tasksDue = true;
          else if (event.ask === undefined) sessionsDue = true;
          void look();
        }
      } catch (error) {
        if (signal.aborted) return;
        onLine(false);
        heard.away(wordsOf(error));
        await Bun.sleep(PAUSE_MS);
      }
    }
  }

  function onLine(isThere: boolean): void {
    if (signal.aborted || isAway === !isThere) return;
    isAway = !isThere;
    heard.away(isThere ? undefined : RECONNECTING);
    void (isThere ? look() : wake());
  }

  /** Any call starts the daemon, unless a person stopped it. */
  async function wake(): Promise<void> {
    while (isAway && !signal.aborted) {
      try {
        await client.call("health");
        return;
      } catch (error) {
        if (isAway && !signal.aborted) heard.away(wordsOf(error));
        await Bun.sleep(PAUSE_MS);
      }
    }
  }

  /** Many events about one Ask are one look at it. */
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      while ((wanted.size > 0 || sessionsDue || tasksDue || grantsDue) && !signal.aborted) {
        if (sessionsDue) await lookAtSessions();
        if (tasksDue) await lookAtTasks();
        if (grantsDue) await lookAtGrants();
        const ids = [...wanted].slice(0, AT_ONCE);
        for (const id of ids) wanted.delete(id);
        await Promise.all(ids.map(lookAt));
      }
    } catch {
      // The daemon went away in the middle; what is still wanted is looked at when it is back.
    } finally {
      looking = false;
    }
  }

  async function lookAt(id: string): Promise<void> {
    try {
      heard.asks([await client.call("getAsk", { id })]);
    } catch (error) {
      if (error instanceof ParleyError && error.code === "not_found") return heard.gone(id);
      wanted.add(id);
      throw error;
    }
  }

  async function lookAtSessions(): Promise<void> {
    sessionsDue = false;
    try {
      heard.sessions((await client.call("listSessions", { query: { live: "true", limit: 500 } })).sessions);
    } catch (error) {
      sessionsDue = true;
      throw error;
    }
  }

  async function lookAtGrants(): Promise<void> {
    grantsDue = false;
    try {
      heard.grants((await client.call("listGrants", {})).grants);
    } catch (error) {
      grantsDue = true;
      throw error;
    }
  }

  async function lookAtTasks(): Promise<void> {
    tasksDue = false;
    try {
      const found = new Map<string, TaskView>();
      for (const state of ["active", "over"] as const) {
        const { tasks } = await client.call("listTasks", { query: { state, limit: TASKS[state] } });
        // One that ends in between is in both.
        for (const task of tasks) found.set(task.id, task);
      }
      heard.tasks([...found.values()]);
    } catch (error) {
      tasksDue = true;
      throw error;
    }
  }

  async function loadRest(after: string | undefined): Promise<void> {
    const others = (["settled", "delivered"] as const).map((state) => ({ state, limit: 500 }));
    for (const query of [...others, { state: "done" as const, limit: SETTLED }])
      heard.asks((await client.call("listAsks", { query })).asks);
    for (let next = after; next !== undefined && !signal.aborted;) {
      const page = await client.call("listAsks", { query: { state: "open", limit: PAGE, after: next } });
      heard.asks(page.asks);
      next = page.next;
    }
    heard.complete();
  }

  return {
    /** Goes on from the first page; the rest comes by and by. */
    start({ asks, next, seq }: FirstPage): void {
      heard.asks(asks);
      if (next === undefined) heard.complete();
      [sessionsDue, tasksDue, grantsDue] = [true, true, true];
      void follow(seq);
      void followSettings();
      setImmediate(() => void insist(() => loadRest(next)).then(look));
    },
    /** Looks at an Ask anew, whatever the events say. */
    refresh(id: string): void {
      wanted.add(id);
      void look();
    },
  };

  /** No event tells of a file that was edited. */
  async function followSettings(): Promise<void> {
    while (!signal.aborted) {
      if (!isAway)
        await client.call("config").then(
          ({ problems }) => heard.mistakes(problems.map(problemLine)),
          () => {},
        );
      await Bun.sleep(SETTINGS_MS);
    }
  }

  async function insist(work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        return await work();
      } catch {
        await Bun.sleep(PAUSE_MS);
      }
    }
  }
}

const RECONNECTING = "reconnecting …";
const wordsOf = (error: unknown) =>
  error instanceof ParleyError && error.code === "daemon_stopped" ? error.message : RECONNECTING;
