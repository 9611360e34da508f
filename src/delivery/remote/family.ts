import type { RemoteReading } from "../../agents/capability/remote.ts";

/** What is said of a session, as opposed to a dialog or a relation. */
export type Said = Exclude<RemoteReading, { type: "settled" | "withdrawn" | "session-seen" }>;
export type Family = ReturnType<typeof createFamily>;
const MOST_KNOWN = 10_000;

/** Which sessions are subagents of which: what one of them says belongs to the session that a terminal shows. */
export function createFamily() {
  const parents = new Map<string, string>();

  function topOf(id: string): string {
    const seen = new Set([id]);
    for (let parent = parents.get(id); parent !== undefined && !seen.has(parent); parent = parents.get(parent))
      seen.add(parent);
    return [...seen].at(-1) ?? id;
  }

  return {
    add(id: string, parent: string | undefined): void {
      if (parent === undefined) return;
      parents.set(id, parent);
      for (const [oldest] of parents) if (parents.size > MOST_KNOWN) parents.delete(oldest);
    },
    /** Undefined: only a subagent's turn or session has ended. */
    settle(said: Said): Said | undefined {
      const { id } = said.session;
      const top = topOf(id);
      if (top === id) return said;
      if (said.type === "asked") return { ...said, session: { ...said.session, id: top }, subagent: id };
      if (said.type === "result") return { ...said, session: { ...said.session, id: top } };
      return undefined;
    },
  };
}
