import { KEPT_MARK } from "../core/receipt/send.ts";
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Agent } from "../agents/agent.ts";
import type { Kind } from "../core/ask/ask.ts";
import { canonicalQuestions, type Question } from "../core/ask/question.ts";
import type { Received } from "../core/receipt/received.ts";
import { tailText } from "../core/text/text.ts";

export const CHUNK = 1024 * 1024;
const LONGEST_LINE = 16 * CHUNK;
/** A path that an agent names may lead to anything; of a file larger than any record only the end is read. */
const MOST_READ = 256 * CHUNK;
const TAIL = 256 * 1024;
const LAST_TEXT_BYTES = 4000;

export type Transcript = {
  /** Reads what was written since the last call. */
  refresh(): Promise<void>;
  received(key: string, questions: readonly Question[], kind?: Kind): Received | undefined;
  /** How many results it has of that call. */
  results(key: string): number;
  /** Tool calls that asked exactly this since that time, oldest first. */
  keysOf(questions: readonly Question[], since: number, match?: string): string[];
  mentions(text: string): boolean;
  /** Questions without a result yet, oldest first. */
  unanswered(): { key: string; questions: Question[]; at: number }[];
  /** A message to the agent says so; in a session of a person's own that can be anybody's words. */
  wasTold(text: string): boolean;
};

/** `tools`: every tool call matters, not only questions; then reading begins shortly before `from`, where the Ask was made. */
type Reading = { tools: boolean; from: number };

/** An agent's own record of a session, read as it grows. A missing or broken file is an empty one. */
export function openTranscript(
  path: string,
  agent: Agent,
  { tools, from }: Reading = { tools: false, from: 0 },
): Transcript {
  const results = new Map<string, (questions: readonly Question[], kind: Kind) => Received>();
  const counts = new Map<string, number>();
  const asked = new Map<string, { match: string; at: number; questions: Question[] }>();
  let contexts = "";
  let messages = "";
  let offset = Math.max(0, from - TAIL);
  let madeAt = from;
  let inode: number | undefined;
  let carry = Buffer.alloc(0);
  /** Inside a line that was too long to keep; what is left of it is none. */
  let skipping = false;

  /** Only such lines are parsed and kept: the results of all other tools of a long session would cost seconds and memory. */
  function matters(line: string): boolean {
    if (line.includes("AskUserQuestion") || line.includes(KEPT_MARK)) return true;
    if (tools && line.includes('"tool_use"')) return true;
    return line.includes("tool_result") && [...asked.keys()].some((key) => line.includes(key));
  }

  function take(line: string, end: number): void {
    if (!matters(line)) return;
    for (const item of agent.readLine(line)) {
      if (item.type === "asked") asked.set(item.key, { match: matchOf(item), at: item.at, questions: item.questions });
      if (item.type === "result") {
        results.set(item.key, item.read);
        counts.set(item.key, (counts.get(item.key) ?? 0) + 1);
      }
      // It was over when the Ask was made: an equal call just before is not the one that asks.
      if (item.type === "result" && end <= madeAt) asked.delete(item.key);
      if (item.type === "context") contexts += `${item.text}\n`;
      if (item.type === "told") messages += `${item.text}\n`;
    }
  }

  async function refresh(): Promise<void> {
    const now = await stat(path).catch(() => undefined);
    // Nearly always: nothing was written since. Then it need not be opened.
    if (!now || (now.size === offset && now.ino === inode)) return;
    await reading(path, async (file, { size, ino }) => {
      // Another file, or shorter than what we read: it was replaced.
      if (size < offset || ino !== (inode ?? ino)) {
        restart(0);
        madeAt = 0;
      }
      if (size - offset > MOST_READ) restart(size - MOST_READ);
      inode = ino;
      while (offset < size) {
        const { bytesRead, buffer } = await file.read(
          Buffer.alloc(Math.min(CHUNK, size - offset)),
          0,
          undefined,
          offset,
        );
        if (bytesRead === 0) break;
        const start = offset - carry.length;
        offset += bytesRead;
        const rest = lines(Buffer.concat([carry, buffer.subarray(0, bytesRead)]), (line, end) => {
          if (!skipping) take(line, start + end);
          skipping = false;
        });
        const isTooLong = rest.length > LONGEST_LINE || skipping;
        [carry, skipping] = isTooLong ? [Buffer.alloc(0), true] : [rest, false];
      }
    });
  }

  function restart(at: number): void {
    [offset, carry, skipping] = [at, Buffer.alloc(0), false];
  }

  let turn = Promise.resolve();
  return {
    refresh: () => (turn = turn.then(refresh, refresh)),
    received: (key, questions, kind = "question") => results.get(key)?.(questions, kind),
    results: (key) => counts.get(key) ?? 0,
    keysOf(questions, since, match) {
      const wanted = matchOf({ match, questions });
      return [...asked].filter(([, { match, at }]) => match === wanted && at >= since).map(([key]) => key);
    },
    mentions: (text) => contexts.includes(text),
    unanswered: () =>
      [...asked]
        .filter(([key, { questions }]) => questions.length > 0 && !results.has(key))
        .map(([key, { questions, at }]) => ({ key, questions, at })),
    wasTold: (text) => messages.includes(text),
  };
}

const matchOf = ({ match, questions = [] }: { match?: string | undefined; questions?: readonly Question[] }) =>
  match ?? canonicalQuestions(questions);

/** The agent's version, as the end of its transcript says it. */
export async function versionOf(path: string, agent: Agent): Promise<string | undefined> {
  for (const line of (await endOf(path)).lines.toReversed()) {
    const version = line.includes('"version"') ? agent.versionIn(line) : undefined;
    if (version !== undefined) return version;
  }
  return undefined;
}

/** `lastText` is empty when it said nothing; `position`: where in the record the call stands. */
export type Before = { lastText: string; position: number };

/** What the agent said last before that tool call. Undefined: the call is not on disk yet. */
export async function before(path: string, agent: Agent, key: string): Promise<Before | undefined> {
  const { lines, size } = await endOf(path);
  const call = lines.findLastIndex(
    (line) => line.includes(key) && agent.readLine(line).some((item) => item.type === "asked" && item.key === key),
  );
  if (call < 0) return undefined;
  const said = lastSaid(lines.slice(0, call), agent);
  const position = size - Buffer.byteLength(lines.slice(call).join("\n"));
  return { lastText: tailText(said, LAST_TEXT_BYTES), position };
}

/** Only lines of the agent's own are parsed. */
function lastSaid(lines: readonly string[], agent: Agent): string {
  for (const line of lines.toReversed()) {
    const item = line.includes('"assistant"')
      ? agent.readLine(line).findLast(({ type }) => type === "said")
      : undefined;
    if (item?.type === "said") return item.text;
  }
  return "";
}

async function endOf(path: string): Promise<{ lines: string[]; size: number }> {
  const end = await reading(path, async (file, { size }) => {
    const length = Math.min(TAIL, size);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return { lines: buffer.toString("utf8", 0, bytesRead).split("\n"), size };
  });
  return end ?? { lines: [], size: 0 };
}

/** Undefined when there is nothing to read. Not blocking: an agent names the path, and a pipe there would be waited for. */
export async function reading<T>(
  path: string,
  read: (file: FileHandle, stat: { size: number; ino: number }) => Promise<T>,
): Promise<T | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stat = await file.stat();
    return stat.isFile() ? await read(file, stat) : undefined;
  } finally {
    await file.close();
  }
}

/** Hands over whole lines; what is left of an unfinished one comes back. */
function lines(bytes: Buffer, take: (line: string, end: number) => void): Buffer<ArrayBuffer> {
  let start = 0;
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    take(bytes.toString("utf8", start, end), end + 1);
    start = end + 1;
  }
  return Buffer.from(bytes.subarray(start));
}
