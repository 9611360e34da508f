import { isUnnamed } from "../../core/ask/ask.ts";
import { open } from "node:fs/promises";
import { constants } from "node:fs";
import type { AgentRecord, LineFormat } from "../../agents/capability/record.ts";
import { agentNamed } from "../../agents/agents.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import type { AskView } from "../../protocol/view.ts";
import { findAsk } from "./find-ask.ts";
import type { Context } from "./context.ts";

/** Everything there is to say why an Ask ended as it did. */
export type Evidence = {
  ask: AskView;
  /** What the agent sent, and what its hook printed back. */
  payload: unknown;
  outputs: unknown[];
  /** The lines of the agent's own record about this tool call. */
  record: string[];
  timings: { step: string; ms: number }[];
  events: LogEvent[];
};
const MOST_LINES = 20;
const MOST_BYTES = 64 * 1024 * 1024;
/** The agent writes its call down at most this long before its hook reaches us. */
const HOOK_DELAY_MS = 10_000;

export async function gather(typed: string, { client }: Context): Promise<Evidence> {
  const ask = await findAsk(client, typed);
  const { events } = await client.call("readLog", { query: { ask: ask.id, limit: 1000 } });
  const { sessions } = await client.call("listSessions", { query: { limit: 500 } });
  const transcript = sessions.find(({ id }) => id === ask.origin.session)?.transcript;
  const agent = agentNamed(ask.origin.agent);
  return {
    ask,
    payload: events.find(({ type }) => type === "ask.captured")?.data["raw"],
    outputs: events.flatMap(({ data }) => (data["output"] === undefined ? [] : [data["output"]])),
    record: transcript === undefined || !agent?.record ? [] : await linesAbout(ask, agent.record, transcript),
    timings: events
      .slice(1)
      .map(({ type, at }, i) => ({ step: `${events[i]?.type} → ${type}`, ms: at - (events[i]?.at ?? at) })),
    events: events.map(({ data: { raw: _raw, ...data }, ...event }) => ({ ...event, data })),
  };
}

async function linesAbout(ask: AskView, { pathOf, lines: format }: AgentRecord, transcript: string): Promise<string[]> {
  const lines = (await endOf(pathOf(transcript, ask.origin.subagent))).split("\n");
  const keys = ask.deliveries
    .filter(({ channel = "" }) => !["fetch", "self", "none"].includes(channel))
    .flatMap((delivery) => (isUnnamed(delivery) ? callsLike(ask, format, lines) : delivery.key));
  return lines.filter((line) => keys.some((key) => line.includes(key))).slice(-MOST_LINES);
}

/** A permission prompt's hook does not name its tool call; the record does, beside the same input. */
function callsLike({ match, createdAt }: AskView, format: LineFormat | undefined, lines: readonly string[]): string[] {
  if (match === undefined || !format) return [];
  return lines
    .filter((line) => line.includes(format.marks.call))
    .flatMap((line) => format.read(line))
    .flatMap((item) =>
      item.type === "asked" && item.match === match && item.at >= createdAt - HOOK_DELAY_MS ? item.key : [],
    );
}

/** Not blocking, and only a file: an agent names the path, and a pipe there would be waited for. */
async function endOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!file) return "";
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return "";
    const length = Math.min(stat.size, MOST_BYTES);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, stat.size - length);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
