import type { Agent } from "../agents/agent.ts";
import type { HookReading } from "../agents/capability/reading.ts";
import type { SessionEvent } from "../core/ask/event.ts";
import type { Session } from "../core/ask/session.ts";
import { headOf } from "../machine/git/git-tree.ts";
import { isAlive, nameProcess } from "../machine/process/process.ts";
import type { HookCall } from "../protocol/hook.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./inbox.ts";
import { paneOf, placeOf } from "./origin.ts";
import type { Projects } from "./projects.ts";

/** A hook that waited so long for a daemon may come when its agent has worked for a while. */
const AT_ONCE_MS = 5000;

/** Keeps what is known of a session; writes only what changed, so that a busy session does not fill the log. */
export async function noteSession(
  { store, now, projectOf }: { store: Store; now: Clock; projectOf: Projects },
  agent: Agent,
  reading: HookReading,
  { facts, calledAt = now() }: Pick<HookCall, "facts" | "calledAt">,
): Promise<void> {
  const { id, cwd } = reading.session;
  const known = await store.session(id);
  // Only then, and never again: from now on the agent can commit what it likes.
  const begins = !known && reading.type === "session-started" && reading.began && now() - calledAt < AT_ONCE_MS;
  const base = begins && cwd !== undefined ? await headOf(cwd) : undefined;
  const modes = [...new Set([...(known?.modes ?? []), ...[reading.session.mode ?? []].flat()])];
  const found = await factsOf(agent, reading, facts, projectOf);
  // An orphaned hook that gets through late: its agent is gone, and the session goes on in another process.
  const isPast = known?.process && found.process && !isAlive(found.process) && isAlive(known.process);
  if (isPast) return;
  const seen = {
    ...found,
    ...(modes.length > 0 && { modes }),
    ...(base && { base }),
  };
  const changed =
    !known ||
    known.endedAt !== undefined ||
    Object.entries(seen).some(([field, value]) => !Bun.deepEquals(known[field], value));
  const events: SessionEvent[] = changed ? [{ type: "session.seen", session: seen }] : [];
  if (reading.type === "session-ended") events.push({ type: "session.ended", reason: reading.reason });
  if (events.length > 0) await store.append({ at: now(), session: { id, events } });
}

async function factsOf(
  agent: Agent,
  { session }: HookReading,
  facts: HookCall["facts"],
  projectOf: Projects,
): Promise<Partial<Session>> {
  const pane = paneOf(facts);
  return {
    agent: agent.name,
    ...(await placeOf(session.cwd, facts, projectOf)),
    ...(facts.container !== undefined && { container: facts.container }),
    ...(session.transcript !== undefined && { transcript: session.transcript }),
    ...(session.mode !== undefined && { mode: session.mode }),
    ...(session.server !== undefined && { server: session.server }),
    ...(facts.pid !== undefined && { process: nameProcess(facts.pid) }),
    ...(pane && { pane }),
  };
}
