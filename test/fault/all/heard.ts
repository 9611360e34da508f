import type { Ask } from "../../../src/core/ask/ask.ts";
import type { Round } from "./area.ts";

export type Answered = Pick<Ask, "id"> & { origin: Pick<Ask["origin"], "session">; deliveries: { key: string }[] };

type Block = { type: string; tool_use_id?: string; content?: string; is_error?: boolean };
/** A line of an agent's own record, as `task-agent.ts` writes it. */
export type Line = { type: string; message?: { content: string | Block[] } };
/** What one session of an agent has written down. */
export type Heard = { session: string; lines: readonly Line[] };
type Found = Pick<Round, "lost" | "doubled">;

/** Contract: what a killed agent had only begun to write is no line. */
export const linesOf = (record: string): Line[] => {
  const lines = record.split("\n").slice(0, -1).filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
};

/**
 * What became of a task whose sessions these are, by their own records: a session knows nothing else when it is resumed, and
 * writes it down before a journal of a test could note it. An answer comes as the result of its call, or in words with the Ask's
 * mark when its session is resumed or the next one begins. No session hears one twice; the last one heard all it needed.
 * `answered`: questions whose answer was acknowledged.
 */
export function judgeRecords(task: string, sessions: readonly Heard[], answered: readonly Answered[]): Found {
  const [lost, doubled]: [string[], string[]] = [[], []];
  const last = sessions.at(-1);
  for (const ask of answered) {
    const times = sessions.map((heard) => timesHeard(ask, heard));
    if (times.every((n) => n === 0)) lost.push(`task ${task}: the answer to ${ask.id} is in no record`);
    if (times.some((n) => n > 1)) doubled.push(`task ${task}: the answer to ${ask.id} ${times.join(" and ")} times`);
  }
  for (const { session, lines } of sessions) {
    const counts = {
      prompt: lines.filter(({ message }) => textOf(message).startsWith("[{")).length,
      ran: blocksIn(lines).filter(({ content, is_error }) => content === "ok" && is_error === false).length,
    };
    for (const [what, times] of Object.entries(counts)) {
      if (times > 1) doubled.push(`task ${task}: ${what} ${times} times in ${session}`);
      if (times === 0 && session === last?.session) lost.push(`task ${task}: no ${what}`);
    }
  }
  if (!last || answered.every((ask) => timesHeard(ask, last) === 0)) lost.push(`task ${task}: no answer`);
  return { lost, doubled };
}

function timesHeard({ id, origin, deliveries }: Answered, { session, lines }: Heard): number {
  const keys = new Set(session === origin.session ? deliveries.map(({ key }) => key) : []);
  const told = lines.filter(({ type, message }) => type === "user" && textOf(message).includes(`[parley ${id}]`));
  const given = blocksIn(lines).filter(({ tool_use_id: key, is_error }) => is_error === false && keys.has(key ?? ""));
  return told.length + given.length;
}

const textOf = (message: Line["message"]): string => (typeof message?.content === "string" ? message.content : "");
const blocksIn = (lines: readonly Line[]): Block[] =>
  lines.flatMap(({ type, message }) =>
    type === "user" && message && typeof message.content !== "string" ? message.content : [],
  );
