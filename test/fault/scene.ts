import { readRegistration } from "../../src/machine/home.ts";
import type { Ask } from "../../src/core/ask/ask.ts";
import { ParleyError } from "../../src/core/error.ts";
import { signal } from "../../src/lab/process-tree.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { request } from "../e2e/api-request.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { type Entry, type FakeAgent, startAgent } from "./agent.ts";
import { LABELS } from "./fake-record.ts";
import { processes } from "./processes.ts";
import type { Signal } from "./schedule.ts";
import { DECLINED, type Evidence, examine, type Findings, isQuiet, type Said } from "./truth.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";

/** `kills` of the daemon in the story, `answers` that were acknowledged. */
export type Tally = Findings & { kills: number; answers: number };
export type Scene = {
  program: Program;
  agent(version?: string): Promise<FakeAgent>;
  resume(agent: FakeAgent): Promise<FakeAgent>;
  /** A signal, usually SIGKILL, to the daemon at once, however far it has come; false when there is none. */
  strike(signal?: Signal, forMs?: number): boolean;
  /** The same right after an event of this kind becomes visible. */
  strikeAt(type: string, signal?: Signal): Promise<void>;
  /** SIGKILL to the next daemon while it starts: once its process is there, or once it has written where to find it. */
  strikeStarting(moment: "spawned" | "registered"): Promise<void>;
  /** The Ask with this question, if there is one now. */
  find(question: string): Promise<AskView | undefined>;
  /** The Ask with this question, once `ready` says so; starts the daemon when there is none. */
  ask(question: string, ready?: (ask: AskView) => boolean): Promise<AskView>;
  /** One attempt, without a second one; false when no reply came. */
  attempt(ask: Ask, label: string, key: string): Promise<boolean>;
  /** Tries until the daemon says yes (true) or that somebody was first (false). */
  settle(ask: Pick<Ask, "id">, label: string, key?: string): Promise<boolean>;
  /** `parley answer`, once; true when it said that it is done. */
  settleByCommand(ask: Pick<Ask, "id">, label: string): Promise<boolean>;
  /** Waits until nothing more can happen and followers of the log say that they have it all (up to `quietAt`), ends the daemon for the last time and gathers all that is left. */
  remains(hasAll?: (lastSeq: number) => boolean): Promise<Evidence & { problems: string[]; quietAt: number }>;
  /** What is wrong with what remains. */
  conclude(): Promise<Tally>;
  [Symbol.asyncDispose](): Promise<void>;
};

const STOPPED_MS = 300;

/** A Parley of its own, agents that ask it, and a list of everything that was promised. */
export async function openScene(): Promise<Scene> {
  const real = createProgram();
  const agents: FakeAgent[] = [];
  const said: Said[] = [];
  let kills = 0;
  const program: Program = {
    ...real,
    kill9: async () => ((kills += 1), real.kill9()),
    terminate: async () => ((kills += 1), real.terminate()),
  };
  await program.start().catch(async (error: unknown) => {
    await real.dispose();
    throw error;
  });
  const client = program.client();

  const listed = async () => (await client.call("listAsks", { query: { state: "all", limit: 500 } })).asks;
  const find: Scene["find"] = async (question) =>
    (await patient(listed)).find(({ questions }) => questions[0]?.text === question);
  const ask: Scene["ask"] = async (question, ready = () => true) => {
    let last: AskView | undefined;
    const found = await holds(async () => {
      last = await find(question);
      return last !== undefined && ready(last);
    });
    if (!found || !last) throw new Error(`"${question}" did not become so: ${JSON.stringify(last)}`);
    return last;
  };
  const bodyFor = (label: string) =>
    label === DECLINED
      ? { action: "decline" as const, surface: "test" }
      : { action: "answer" as const, answers: [{ picks: [LABELS.findIndex((l) => l === label)] }], surface: "test" };

  function strike(name: Signal = "SIGKILL", forMs = STOPPED_MS): boolean {
    const daemon = readRegistration(program.paths)?.process;
    const pids = daemon && isAlive(daemon) ? [daemon.pid] : startingIn(program.home);
    for (const pid of pids) signal(pid, name);
    if (name === "SIGSTOP") setTimeout(() => pids.forEach((pid) => signal(pid, "SIGCONT")), forMs);
    else if (pids.length > 0) kills++;
    return pids.length > 0;
  }

  const journals = () => new Map(agents.map((agent) => [agent.session, agent.journal()]));

  const remains: Scene["remains"] = async (hasAll = () => true) => {
    let quietAt = 0;
    await holds(async () => {
      const { asks } = await patient(() => client.call("listAsks", { query: { state: "active", limit: 500 } }));
      const records = asks.length > 0 ? journals() : new Map<string, Entry[]>();
      if (!asks.every((one) => isQuiet(one, records.get(one.origin.session ?? "") ?? []))) return false;
      const { events } = await patient(() => client.call("readLog", { query: { tail: "true", limit: 1 } }));
      quietAt = events.at(-1)?.seq ?? 0;
      return hasAll(quietAt);
    });
    await real.kill9();
    const store = openSqlite(program.paths.database);
    try {
      const [asks, events] = await Promise.all([store.list({ limit: 100_000 }), store.events({ limit: 1_000_000 })]);
      return { journals: journals(), said, asks, events, problems: await store.problems(), quietAt };
    } finally {
      await store.close();
    }
  };

  return {
    program,
    strike,
    find,
    ask,
    async agent(version) {
      const agent = await startAgent(program, version);
      agents.push(agent);
      return agent;
    },
    async resume(agent) {
      const next = await agent.resume();
      agents.push(next);
      return next;
    },
    async strikeAt(type, name) {
      const over = new AbortController();
      for await (const event of client.events(0, over.signal)) {
        if (event.type !== type) continue;
        strike(name);
        return over.abort();
      }
    },
    async strikeStarting(moment) {
      const before = readRegistration(program.paths)?.process.pid;
      const found = await holds(() => {
        const registered = readRegistration(program.paths)?.process.pid !== before;
        return (moment === "spawned" || registered) && strike();
      });
      if (!found) throw new Error("no daemon was started");
    },
    async attempt({ id }, label, key) {
      const attempt = { ask: id, label, acknowledged: false };
      said.push(attempt);
      const reply = await request(program, "socket", `POST /api/asks/${id}/settle`, {
        token: program.tokens().human,
        body: bodyFor(label),
        headers: { "idempotency-key": key },
      }).catch(() => undefined);
      attempt.acknowledged = reply?.status === 200;
      return reply !== undefined;
    },
    async settle({ id }, label, key = crypto.randomUUID()) {
      const attempt: Said = { ask: id, label, acknowledged: false };
      said.push(attempt);
      try {
        await patient(() => client.call("settleAsk", { id, body: bodyFor(label), idempotencyKey: key }));
        attempt.acknowledged = true;
      } catch (error) {
        if (!(error instanceof ParleyError && error.code === "already_settled")) throw error;
      }
      return attempt.acknowledged;
    },
    async settleByCommand({ id }, label) {
      const attempt: Said = { ask: id, label, acknowledged: false };
      said.push(attempt);
      const { code } = await program.parley([
        "answer",
        id,
        ...(label === DECLINED ? ["--decline"] : [label, "--only"]),
      ]);
      attempt.acknowledged = code === 0 || code === 5;
      return attempt.acknowledged;
    },
    remains,
    async conclude() {
      const { problems, quietAt: _, ...evidence } = await remains();
      const findings = examine(evidence);
      findings.untrue.push(...problems);
      return { ...findings, kills, answers: said.filter(({ acknowledged }) => acknowledged).length };
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) if (!agent.isGone()) await agent.kill("SIGKILL");
      await real.dispose();
    },
  };
}

/** Daemons of this home, also those that have not yet written anything. */
function startingIn(home: string): number[] {
  return processes()
    .filter(({ command, env }) => command.includes("serve --detached") && env.includes(`PARLEY_HOME=${home}`))
    .map(({ pid }) => pid);
}

/** Again and again through restarts of the daemon. */
async function patient<T>(work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE_MS; ;) {
    try {
      return await work();
    } catch (error) {
      const away = error instanceof ParleyError && error.code === "daemon_unreachable";
      if ((error instanceof ParleyError && !away) || performance.now() > until) throw error;
    }
  }
}
