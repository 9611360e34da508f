import type { Agent } from "../agents/agent.ts";
import type { HookReading, SessionFacts } from "../agents/capability/reading.ts";
import type { Ask, Origin } from "../core/ask/ask.ts";
import type { Store } from "../store/store.ts";
import type { Facts } from "./facts/facts.ts";
import { createRecordMemory } from "./record-memory.ts";
import { createSessionTitles } from "./session-title.ts";
import type { Clock, Inbox } from "./inbox.ts";

type Deps = { store: Store; inbox: Pick<Inbox, "change">; now: Clock; facts?: Facts };
type Calling = { key?: string | undefined; subagent?: string | undefined; session: SessionFacts };
type Asked = HookReading & { type: "asked" };
type Known = Pick<Origin, "lastText" | "command" | "sessionTitle" | "isContextRead">;
export type Context = ReturnType<typeof createContext>;

/** What led to a question: what the agent said last, and the command its session follows, however long ago that was. */
export function createContext({ store, inbox, now, facts }: Deps) {
  const memory = createRecordMemory();
  const titles = createSessionTitles({ store, memory, now });

  /** What a record no longer has, because another took its place, is known of the session. */
  async function commandOf(
    agent: Agent,
    { id, transcript }: SessionFacts,
    position?: number,
  ): Promise<string | undefined> {
    const lines = agent.record?.lines;
    const found = transcript === undefined || !lines ? undefined : await memory.last(transcript, lines, position);
    const known = (await store.session(id))?.command;
    if (found === undefined || found === known) return found ?? known;
    await store.append({ at: now(), session: { id, events: [{ type: "session.seen", session: { command: found } }] } });
    return found;
  }

  /** Undefined: the call is not on disk yet. */
  async function read(agent: Agent, { key, subagent, session }: Calling): Promise<Known | undefined> {
    if (key === undefined || session.transcript === undefined) return undefined;
    const found = await agent.record?.before(agent.record.pathOf(session.transcript, subagent), key);
    if (!found) return undefined;
    // A subagent has a record of its own, and follows the command of its session.
    const command = await commandOf(agent, session, subagent === undefined ? found.position : undefined);
    const sessionTitle = await titles.read(agent, session);
    const { lastText } = found;
    return {
      ...(lastText !== "" && { lastText }),
      ...(command !== undefined && { command }),
      ...(sessionTitle !== undefined && { sessionTitle }),
      isContextRead: true,
    };
  }

  async function add({ id, origin: { task } }: Ask, { sessionTitle, ...known }: Known): Promise<void> {
    const { command } = known;
    // The questions of a task carry its name.
    const title = sessionTitle !== undefined && task === undefined ? { sessionTitle } : {};
    const isNew = ({ origin }: Ask) =>
      (command !== undefined && origin.command !== command) ||
      (title.sessionTitle !== undefined && origin.sessionTitle !== title.sessionTitle) ||
      (known.isContextRead === true && origin.isContextRead !== true);
    await inbox.change(id, (current) => (isNew(current) ? [{ type: "ask.context", ...known, ...title }] : []));
  }

  async function led(ask: Ask, agent: Agent, calling: Calling): Promise<void> {
    if (ask.origin.isContextRead === true) return;
    const command = await commandOf(agent, calling.session);
    const sessionTitle = await titles.read(agent, calling.session);
    await add(ask, {
      ...(command !== undefined && { command }),
      ...(sessionTitle !== undefined && { sessionTitle }),
    });
    if (calling.key === undefined || calling.session.transcript === undefined) return;
    for (let pause = 50; pause < 2000; pause *= 2) {
      await Bun.sleep(pause);
      const found = await read(agent, calling);
      if (found) return add(ask, found);
    }
  }

  return {
    titles,
    read,
    /** The command at once, because it says whether a yes may be given at all; a call is written down a moment after its hook. */
    async addTo(ask: Ask, agent: Agent, calling: Asked): Promise<void> {
      const found = facts?.addTo(ask, calling);
      await led(ask, agent, calling);
      await found;
    },
  };
}
