import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const AGENTS = join(import.meta.dir, "../../../src/agents");
/** What the recorders put around a message. */
const AROUND = ["payload", "m", "event"];

/** Everything that was recorded of an agent, by file; each a value of JSON. */
export function recordedOf(agent: string, pattern: string): unknown[] {
  const files = [...new Glob(`${agent}/**/fixtures/${pattern}`).scanSync(AGENTS)].toSorted();
  const all = files.flatMap((file) => {
    const text = readFileSync(join(AGENTS, file), "utf8");
    return /\.(jsonl|ndjson)$/.test(file) ? text.split("\n").filter(Boolean) : [text];
  });
  return few(
    [...new Set(all)].map((line) => inside(JSON.parse(line))),
    400,
  );
}

function inside(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const key = AROUND.find((name) => name in value && !("type" in value) && !("hook_event_name" in value));
  return key === undefined ? value : (value as Record<string, unknown>)[key];
}

const few = <T>(all: T[], most: number): T[] => all.filter((_, i) => i % Math.ceil(all.length / most) === 0);
