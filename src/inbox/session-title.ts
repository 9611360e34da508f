import type { Agent } from "../agents/agent.ts";
import type { SessionFacts } from "../agents/capability/reading.ts";
import type { SessionAbout } from "../agents/capability/record.ts";
import { safeLine } from "../core/text/text.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./inbox.ts";
import type { RecordMemory } from "./record-memory.ts";

const LONGEST = 60;
export type SessionTitles = ReturnType<typeof createSessionTitles>;

/** What sessions are called: by their own title, else by the first words of their person. */
export function createSessionTitles({ store, memory, now }: { store: Store; memory: RecordMemory; now: Clock }) {
  async function about(agent: Agent, transcript: string | undefined): Promise<SessionAbout> {
    const { record } = agent;
    if (transcript === undefined || !record) return {};
    return record.lines ? memory.about(transcript, record.lines) : ((await record.about?.(transcript)) ?? {});
  }

  async function keep(id: string, title: string): Promise<void> {
    const session = await store.session(id);
    if (!session || session.title === title) return;
    await store.append({ at: now(), session: { id, events: [{ type: "session.seen", session: { title } }] } });
  }

  return {
    about,
    /** As its record says it now; it is kept with the session. */
    async read(agent: Agent, { id, transcript, title: said }: SessionFacts): Promise<string | undefined> {
      const { title = said, prompt } = await about(agent, transcript);
      const words = safeLine((title ?? prompt ?? "").slice(0, LONGEST * 20), { max: LONGEST });
      if (words !== "") await keep(id, words);
      return words || (await store.session(id))?.title;
    },
    /** As far as it is known without reading anything. A task has a name of its own. */
    async known(session: string, task: string | undefined): Promise<{ sessionTitle?: string }> {
      const named = task === undefined ? undefined : (await store.task(task))?.order.name;
      const title = named === undefined ? (await store.session(session))?.title : safeLine(named, { max: LONGEST });
      return title === undefined ? {} : { sessionTitle: title };
    },
  };
}
