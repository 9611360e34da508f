import { agentNamed } from "../agents/agents.ts";
import type { Agent } from "../agents/agent.ts";
import { isForTerminal } from "../core/ask/channel.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { SessionEvent } from "../core/ask/event.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { Session } from "../core/ask/session.ts";
import { ParleyError } from "../core/error.ts";
import { tailText } from "../core/text/text.ts";
import { createSerial } from "../machine/time/serial.ts";
import { isAlive } from "../machine/process/process.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";
import type { SessionTitles } from "./session-title.ts";

const MOST_SAID = 4000;
const MOST_SESSIONS = 500;
type Deps = {
  store: Store;
  inbox: Inbox;
  titles: SessionTitles;
  now: Clock;
  /** They are questions too: a person wants to be asked. */
  isWanted: () => boolean;
};
export type IdleSessions = ReturnType<typeof createIdleSessions>;

/** Sessions whose turn is over: they wait for a prompt, which only their own terminal can give. */
export function createIdleSessions({ store, inbox, titles, now, isWanted }: Deps) {
  // What it does next may be heard while its record is still being read.
  const serial = createSerial();
  /** Whether there may be any to look at; to find that out again costs a look through all that is open. */
  const may = { beAsked: true, beIdle: true };
  store.onCommit((events) => {
    for (const { type, data } of events) {
      if (type === "ask.captured" && data["kind"] === "idle") may.beAsked = true;
      if (type === "session.idle") may.beIdle = true;
    }
  });
  const append = (id: string, ...events: SessionEvent[]) => store.append({ at: now(), session: { id, events } });

  async function lastPrompt(agent: Agent | undefined, { transcript }: Session): Promise<number | undefined> {
    return agent && (await titles.about(agent, transcript)).lastPrompt;
  }

  /** `said`: its last words, where it sends them along. */
  const finished = (agent: Agent, id: string, said?: string, asked = false): Promise<Session | undefined> =>
    serial(id, () => finish(agent, id, said, asked));

  async function finish(agent: Agent, id: string, said: string | undefined, asked: boolean) {
    const session = await store.session(id);
    if (!session) return undefined;
    const { transcript } = session;
    const idle = asked ? session.idle : undefined;
    const read = said ?? idle?.said ?? (transcript === undefined ? "" : await agent.record?.lastSaid(transcript));
    const prompt = idle?.prompt ?? (await lastPrompt(agent, session));
    const words = tailText((read ?? "").trim(), MOST_SAID);
    await append(id, {
      type: "session.idle",
      ...(words !== "" && { said: words }),
      ...(asked && { asked }),
      ...(prompt !== undefined && { prompt }),
    });
    return store.session(id);
  }

  async function sweepOne(session: Session): Promise<void> {
    const { id, idle } = session;
    if (!idle) return;
    if (session.process && !isAlive(session.process))
      return void (await append(id, { type: "session.ended", reason: "agent-exited" }));
    const prompt = await lastPrompt(agentNamed(session.agent), session);
    if (prompt !== undefined && prompt !== (idle.prompt ?? prompt)) await append(id, { type: "session.busy" });
  }

  /** Asked by an earlier Parley, or while they were wanted: they stand under the sessions now. */
  async function moveAside(ask: Ask): Promise<void> {
    const { session: id, agent } = ask.origin;
    const session = id === undefined ? undefined : await store.session(id);
    const known = agentNamed(agent);
    if (session && session.endedAt === undefined && !session.idle && known)
      await finished(known, session.id, undefined, true);
    const outcome = { type: "withdrawn" as const, actor: PARLEY, at: now(), reason: "under-sessions" };
    await inbox.change(ask.id, (current) => (current.outcome ? [] : [{ type: "ask.closed", outcome }]));
  }

  async function moveAllAside(): Promise<void> {
    if (!may.beAsked) return;
    may.beAsked = false;
    let asks: readonly Ask[] | undefined;
    try {
      asks = await store.list({ kind: "idle", states: ["open"], limit: MOST_SESSIONS });
    } finally {
      if (asks?.length !== 0) may.beAsked = true;
    }
    for (const ask of asks) if (isForTerminal(ask)) await moveAside(ask);
  }

  return {
    finished,
    isWanted,
    /** It does something again. */
    wentOn: (id: string): Promise<void> =>
      serial(id, async () => {
        if ((await store.session(id))?.idle) await append(id, { type: "session.busy" });
      }),
    async dismiss(idOrPrefix: string, actor: Actor): Promise<Session> {
      const live = await store.sessions({ live: true, limit: MOST_SESSIONS });
      const found = live.filter(({ id }) => id.startsWith(idOrPrefix));
      const [session, ...others] = found.filter(({ id }) => id === idOrPrefix).concat(found);
      if (!session || idOrPrefix === "")
        throw new ParleyError("not_found", `No session "${idOrPrefix}". See: parley sessions`);
      if (others.some(({ id }) => id !== session.id) && session.id !== idOrPrefix)
        throw new ParleyError(
          "ambiguous",
          `"${idOrPrefix}" fits several sessions: ${found.map(({ id }) => id).join(", ")}`,
        );
      if (!session.idle) throw new ParleyError("invalid", "This session has not finished: there is nothing to dismiss");
      await append(session.id, { type: "session.dismissed", actor });
      return (await store.session(session.id)) ?? session;
    },
    async sweep(): Promise<void> {
      if (!isWanted()) await moveAllAside();
      if (!may.beIdle) return;
      may.beIdle = false;
      let live: readonly Session[] | undefined;
      try {
        live = await store.sessions({ live: true, limit: MOST_SESSIONS });
      } finally {
        // Of more than are looked at, others may come into sight.
        if (!live || live.length === MOST_SESSIONS || live.some(({ idle }) => idle)) may.beIdle = true;
      }
      for (const session of live) if (session.idle) await sweepOne(session);
    },
  };
}

const PARLEY: Actor = { type: "system", surface: "parley" };
