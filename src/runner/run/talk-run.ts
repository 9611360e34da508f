import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { agentNamed } from "../../agents/agents.ts";
import type { RemoteRequest } from "../../agents/capability/remote.ts";
import type { Talk } from "../../agents/capability/talk.ts";
import { createLineCutter } from "../../machine/file/lines.ts";
import type { RunFolder, TalkPlan } from "./run-folder.ts";

const EVERY_MS = 100;
const CHUNK = 64 * 1024;

/** Contract: in one write; of half a line, of a daemon that was killed, nothing is said. */
export function askToSay({ requests }: RunFolder, request: RemoteRequest): void {
  // A line that was cut off before ends here.
  appendFileSync(requests, `\n${JSON.stringify(request)}\n`, { mode: 0o600 });
}

/** The supervisor's part: hears what the agent prints and says what it, or a daemon, has to say. */
export function createTalker(
  { agent, run }: TalkPlan,
  folder: RunFolder,
  say: (text: string) => void,
  over: () => void,
) {
  const talk = agentNamed(agent)?.headless?.talk?.(run);
  if (!talk) throw new Error(`${agent} cannot be talked to`);
  const tell = (messages: readonly unknown[]) => {
    if (messages.length > 0) say(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  };
  const timer = setInterval(followRequests(folder, talk, tell), EVERY_MS);
  return {
    begin: () => tell(talk.begin()),
    /** The lines that its stream gets for this one. */
    heard(line: string): string[] {
      const step = talk.heard(parsed(line));
      tell(step.say);
      if (step.isOver) over();
      return step.keep.map((kept) => JSON.stringify(kept));
    },
    stop: () => clearInterval(timer),
  };
}

/** Contract: each line of the file is taken once. */
function followRequests({ requests }: RunFolder, talk: Talk, tell: (messages: unknown[]) => void): () => void {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let offset = 0;
  const lines = createLineCutter((line) => {
    const request = parsed(line.toString("utf8"));
    if (typeof (request as Partial<RemoteRequest> | undefined)?.path === "string")
      tell(talk.say(request as RemoteRequest) ?? []);
  });
  return () => {
    if ((statSync(requests, { throwIfNoEntry: false })?.size ?? 0) <= offset) return;
    const file = openSync(requests, "r");
    try {
      for (let size = 1; size > 0; offset += size) {
        size = readSync(file, buffer, 0, CHUNK, offset);
        lines.write(buffer.subarray(0, size));
      }
    } finally {
      closeSync(file);
    }
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
