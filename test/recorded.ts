import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { versionIn } from "../src/agents/claude-code/transcript.ts";

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

export function recording(version: string, name: string): Recording {
  const read = (file: string) =>
    readFileSync(join(FIXTURES, version, name, file), "utf8")
      .split("\n")
      .filter((line) => line !== "");
  const lines = read("transcript.jsonl");
  if (!lines.some((line) => versionIn(line) === version)) throw new Error(`${version}/${name} is of another version`);
  return { version, name, hooks: read("hooks.jsonl").map((line) => JSON.parse(line) as Payload), lines };
}

export function payloadsOf({ hooks }: Recording, event: string): Payload[] {
  return hooks.filter((payload) => payload.hook_event_name === event);
}
