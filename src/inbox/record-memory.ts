import type { LineFormat, RecordItem, SessionAbout } from "../agents/capability/record.ts";
import { createSerial } from "../machine/time/serial.ts";
import { CHUNK, reading } from "../agents/line-record.ts";

/** Of a larger file only the end is read: a path that an agent names may lead to anything. */
const MOST_READ = 4096 * CHUNK;
/** A line with a command is a person's own, never as long as this. */
const LONGEST_LINE = CHUNK;
const MOST_KEPT = 100;
const MOST_RECORDS = 500;

type Seen = {
  inode: number;
  offset: number;
  carry: Buffer;
  commands: { text: string; end: number }[];
  /** The title a person gave it comes before one that the agent made up. */
  titles: { own?: string; made?: string };
  prompt?: { first: string; end: number };
};
export type RecordMemory = ReturnType<typeof createRecordMemory>;

/**
 * What persons began turns with and what sessions are called, as the agents' records have it: each record is read once, in
 * pieces, and after that only what was added. Kept is where the last commands stand, nothing of what is between them.
 */
export function createRecordMemory() {
  const records = new Map<string, Seen>();
  const serial = createSerial();

  async function refresh(path: string, format: LineFormat): Promise<Seen | undefined> {
    return reading(path, async (file, { size, ino }) => {
      const before = records.get(path);
      const isSame = before?.inode === ino && before.offset <= size;
      const seen: Seen = isSame ? before : { inode: ino, offset: 0, carry: Buffer.alloc(0), commands: [], titles: {} };
      records.delete(path);
      records.set(path, seen);
      if (size - seen.offset > MOST_READ) [seen.offset, seen.carry] = [size - MOST_READ, Buffer.alloc(0)];
      const buffer = Buffer.alloc(Math.min(CHUNK, size - seen.offset));
      while (seen.offset < size) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK, size - seen.offset), seen.offset);
        if (bytesRead === 0) break;
        take(seen, Buffer.concat([seen.carry, buffer.subarray(0, bytesRead)]), format, seen.offset + bytesRead);
      }
      for (const oldest of records.keys()) if (records.size > MOST_RECORDS) records.delete(oldest);
      return seen;
    });
  }

  // One after the other: two that read the same record at once would lose a piece of it.
  const read = (path: string, format: LineFormat) => serial(path, () => refresh(path, format));

  return {
    /** The last command before that place of the record; undefined where it has none. */
    async last(path: string, format: LineFormat, before = Infinity): Promise<string | undefined> {
      return (await read(path, format))?.commands.findLast(({ end }) => end <= before)?.text;
    },
    async about(path: string, format: LineFormat): Promise<SessionAbout> {
      const { titles = {}, prompt } = (await read(path, format)) ?? {};
      const title = titles.own ?? titles.made;
      return {
        ...(title !== undefined && { title }),
        ...(prompt && { prompt: prompt.first, lastPrompt: prompt.end }),
      };
    },
  };
}

/** Looks for the marks in the bytes: most of a record is never turned into text. */
function take(seen: Seen, bytes: Buffer, { marks, read }: LineFormat, offset: number): void {
  const start = offset - bytes.length;
  const whole = bytes.lastIndexOf(10) + 1;
  const each = (mark: string, found: (item: RecordItem, end: number) => void, unless?: string) => {
    for (let at = bytes.indexOf(mark); at >= 0 && at < whole;) {
      const begin = bytes.lastIndexOf(10, at) + 1;
      const end = bytes.indexOf(10, at) + 1;
      const line = bytes.subarray(begin, end);
      if (unless === undefined || !line.includes(unless))
        for (const item of read(line.toString("utf8"))) found(item, start + end);
      at = bytes.indexOf(mark, end);
    }
  };
  each(marks.command, (item, end) => {
    if (item.type === "command") seen.commands.push({ text: item.text, end });
  });
  for (const mark of marks.title)
    each(mark, (item) => {
      if (item.type === "title") seen.titles[item.isOwn ? "own" : "made"] = item.text;
    });
  // What tools said stands in lines of the same kind, which are by far the most.
  const prompted = (item: RecordItem, end: number) => {
    if (item.type === "prompt") seen.prompt = { first: seen.prompt?.first ?? item.text, end };
  };
  each(marks.prompt, prompted, marks.result);
  seen.commands = seen.commands.slice(-MOST_KEPT);
  seen.offset = offset;
  const rest = bytes.subarray(whole);
  seen.carry = rest.length > LONGEST_LINE ? Buffer.alloc(0) : Buffer.from(rest);
}
