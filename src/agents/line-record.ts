import { KEPT_MARK } from "../core/receipt/send.ts";
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { AgentRecord, Before, LineFormat, RecordReading, SessionRecord, Unanswered } from "./capability/record.ts";
import type { Kind } from "../core/ask/ask.ts";
import type { Question } from "../core/ask/question.ts";
import { canonicalQuestions } from "../core/ask/canonical.ts";
import type { Received } from "../core/receipt/received.ts";
import { tailText } from "../core/text/text.ts";

export const CHUNK = 1024 * 1024;
const LONGEST_LINE = 16 * CHUNK;
/** A path that an agent names may lead to anything; of a file larger than any record only the end is read. */
const MOST_READ = 256 * CHUNK;
const TAIL = 256 * 1024;
const LAST_TEXT_BYTES = 4000;

/** A record that is a file of lines, as most agents keep it. */
export const lineRecord = (
  format: LineFormat,
): Pick<AgentRecord, "open" | "versionOf" | "before" | "lastSaid" | "lines"> => ({
  lines: format,
  open: (path, reading) => openLines(path, format, reading),
  versionOf: (path) => versionOf(path, format),
  before: (path, key) => before(path, format, key),
  lastSaid: async (path) => tailText(lastSaid((await endOf(path)).lines, format), LAST_TEXT_BYTES),
});

function openLines(
  path: string,
  { marks, read }: LineFormat,
  { tools, from }: RecordReading = { tools: false, from: 0 },
): SessionRecord {
  const results = new Map<string, (questions: readonly Question[], kind: Kind) => Received>();
  const counts = new Map<string, number>();
  const asked = new Map<string, { known: Unanswered; same: string }>();
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
    if (marks.asked.some((mark) => line.includes(mark)) || line.includes(KEPT_MARK)) return true;
    if (tools && line.includes(marks.call)) return true;
    return line.includes(marks.result) && [...asked.keys()].some((key) => line.includes(key));
  }

  function take(line: string, end: number): void {
    if (!matters(line)) return;
    for (const item of read(line)) {
      if (item.type === "asked") {
        const { type: _type, ...known } = item;
        asked.set(item.key, { known, same: matchOf(item) });
      }
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
      return [...asked].filter(([, { same, known }]) => same === wanted && known.at >= since).map(([key]) => key);
    },
    callOf(asker, at) {
      const calls = [...asked]
        .filter(([, { known }]) => known.tool?.startsWith(asker) && known.at <= at)
        .map(([key]) => key);
      return calls.length === 1 || calls.every((key) => results.has(key)) ? calls.at(-1) : undefined;
    },
    mentions: (text) => contexts.includes(text),
    unanswered: () =>
      [...asked.values()]
        .map(({ known }) => known)
        .filter(({ key, questions }) => questions.length > 0 && !results.has(key)),
    wasTold: (text) => messages.includes(text),
  };
}

const matchOf = ({ match, questions = [] }: { match?: string | undefined; questions?: readonly Question[] }) =>
  match ?? canonicalQuestions(questions);

/** As the end of the file says it. */
async function versionOf(path: string, { marks, versionIn }: LineFormat): Promise<string | undefined> {
  for (const line of (await endOf(path)).lines.toReversed()) {
    const version = line.includes(marks.version) ? versionIn(line) : undefined;
    if (version !== undefined) return version;
  }
  return undefined;
}

async function before(path: string, format: LineFormat, key: string): Promise<Before | undefined> {
  const { lines, size } = await endOf(path);
  const call = lines.findLastIndex(
    (line) => line.includes(key) && format.read(line).some((item) => item.type === "asked" && item.key === key),
  );
  if (call < 0) return undefined;
  const said = lastSaid(lines.slice(0, call), format);
  const position = size - Buffer.byteLength(lines.slice(call).join("\n"));
  return { lastText: tailText(said, LAST_TEXT_BYTES), position };
}

/** Only lines of the agent's own are parsed. */
function lastSaid(lines: readonly string[], { marks, read }: LineFormat): string {
  for (const line of lines.toReversed()) {
    const item = line.includes(marks.said) ? read(line).findLast(({ type }) => type === "said") : undefined;
    if (item?.type === "said") return item.text;
  }
  return "";
}

export async function endOf(path: string): Promise<{ lines: string[]; size: number }> {
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
