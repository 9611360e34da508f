import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageIn } from "../../src/acp/json-rpc.ts";
import { createTraffic, type Told } from "../../src/acp/traffic.ts";

const fixtures = join(import.meta.dir, "../../src/agents/acp/fixtures");
export type RecordedAcp = { name: string; lines: Buffer[]; told: Told[] };

/** What real agents sent to their editor, line by line, and what Parley is told of it. */
export function recordedAcp(): RecordedAcp[] {
  return [...new Bun.Glob("*/*.jsonl").scanSync(fixtures)].toSorted().map((name) => {
    const lines = readFileSync(join(fixtures, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => Buffer.from(`${line}\n`));
    const traffic = createTraffic("recorded");
    const told = lines.flatMap((line) => {
      const message = messageIn(line);
      return message ? traffic.fromAgent(message) : [];
    });
    return { name, lines, told };
  });
}
