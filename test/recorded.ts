import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Payload = Record<string, unknown> & { hook_event_name: string };
/** One real run of an agent: what its hooks were sent, and what it wrote down itself. */
export type Recording = { version: string; name: string; hooks: Payload[]; lines: string[] };

const FIXTURES = join(import.meta.dir, "../src/agents/claude-code/fixtures");

export function recordings(): Recording[] {
  return readdirSync(FIXTURES).flatMap((version) =>
    readdirSync(join(FIXTURES, version))
      .filter((name) => existsSync(join(FIXTURES, version, name, "transcript.jsonl")))
      .map((name) => recording(version, name)),
  );
}

const known = new Map<string, Recording>();

/** Read once in a process: stand-ins for an agent ask for it again with every line they write. */
export function recording(version: string, name: string): Recording {
  const found = known.get(`${version}/${name}`) ?? read(version, name);
  known.set(`${version}/${name}`, found);
  return found;
}

function read(version: string, name: string): Recording {
  const linesOf = (file: string) =>
    readFileSync(join(FIXTURES, version, name, file), "utf8")
      .split("\n")
      .filter((line) => line !== "");
  const lines = linesOf("transcript.jsonl");
  if (!lines.some((line) => line.includes(`"version":"${version}"`)))
    throw new Error(`${version}/${name} is of another version`);
  return { version, name, hooks: linesOf("hooks.jsonl").map((line) => JSON.parse(line) as Payload), lines };
}

export function payloadsOf({ hooks }: Recording, event: string): Payload[] {
  return hooks.filter((payload) => payload.hook_event_name === event);
}
