import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { endOf, lineRecord } from "../line-record.ts";
import type { AgentRecord } from "../capability/record.ts";
import { callOf, rollout } from "./rollout.ts";

/** A subagent is a thread of its own, with a rollout beside that of its session where both began on the same day. */
export const record = {
  ...lineRecord(rollout),
  pathOf: (transcript, subagent) =>
    subagent === undefined ? transcript : (besides(transcript, `-${subagent}.jsonl`) ?? transcript),
} satisfies AgentRecord;

/** What a call was given: codex writes it down before it asks. Undefined: it is not there. */
export async function callIn(path: string, key: string): Promise<unknown> {
  const { lines } = await endOf(path);
  for (const line of lines.toReversed()) {
    const call = line.includes(key) ? callOf(line, key) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}

function besides(path: string, end: string): string | undefined {
  try {
    const name = readdirSync(dirname(path)).find((each) => each.endsWith(end));
    return name === undefined ? undefined : join(dirname(path), name);
  } catch {
    return undefined;
  }
}
