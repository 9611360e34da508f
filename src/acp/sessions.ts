import { asRecord } from "../core/record.ts";
import { tailText } from "../core/text/text.ts";
import type { Json } from "./json-rpc.ts";

export type Session = { id: string; cwd?: string; title?: string; prompt?: string };
const MOST_SESSIONS = 200;
const MOST_CALLS = 200;
const MOST_SAID = 4000;
const MOST_TITLE = 200;
/** Of a call that is told of; a larger field is left out, and the editor has it. */
const MOST_FIELD = 60_000;
const FIELDS = ["title", "kind", "status", "rawInput", "rawOutput", "content", "locations", "name", "_meta"];

const PARTS = new Set(["rawInput", "_meta"]);

/** What is known of the sessions and calls of a connection, from what was said there. Contract: bounded. */
export function createSessions() {
  const sessions = new Map<string, Session>();
  const said = new Map<string, string>();
  const calls = new Map<string, Json>();

  function session(id: string): Session {
    const known = sessions.get(id) ?? { id };
    sessions.set(id, known);
    forgetOldest(sessions, MOST_SESSIONS);
    return known;
  }

  /** A call is told of in parts; what comes later stands. */
  function merge(id: string, update: Json): Json | undefined {
    const call = update["toolCallId"];
    if (typeof call !== "string") return undefined;
    const name = JSON.stringify([id, call]);
    const known: Json = calls.get(name) ?? { toolCallId: call };
    for (const field of FIELDS) {
      const value = update[field];
      if (value === undefined || value === null) continue;
      const [before, now] = [asRecord(known[field]), asRecord(value)];
      // What is a record may come in parts too: a later one can lack what an earlier one said.
      const whole = before && now && PARTS.has(field) ? { ...before, ...now } : value;
      if ((JSON.stringify(whole)?.length ?? 0) > MOST_FIELD) delete known[field];
      else known[field] = whole;
    }
    calls.delete(name);
    calls.set(name, known);
    forgetOldest(calls, MOST_CALLS);
    return known;
  }

  return {
    session,
    merge,
    placed(id: string, cwd: unknown): void {
      if (typeof cwd === "string") session(id).cwd = cwd;
    },
    prompted(id: string, prompt: unknown): void {
      said.delete(id);
      const texts = (Array.isArray(prompt) ? prompt : []).map((block) => asRecord(block)?.["text"]);
      session(id).prompt ??= texts
        .filter((text) => typeof text === "string")
        .join(" ")
        .slice(0, MOST_TITLE);
    },
    /** Answers the call that it is about. */
    updated(id: string, update: Json): Json | undefined {
      const kind = update["sessionUpdate"];
      if (kind === "tool_call" || kind === "tool_call_update") return merge(id, update);
      if (kind === "session_info_update" && typeof update["title"] === "string")
        session(id).title = update["title"].slice(0, MOST_TITLE);
      const text = asRecord(update["content"])?.["text"];
      if (kind === "agent_message_chunk" && typeof text === "string")
        said.set(id, tailText((said.get(id) ?? "") + text, MOST_SAID));
      forgetOldest(said, MOST_SESSIONS);
      return undefined;
    },
    said: (id: string): string => said.get(id) ?? "",
  };
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const [oldest] of map) if (map.size > most) map.delete(oldest);
}
