import type { LineFormat } from "../agents/record.ts";
import { createSerial } from "../machine/serial.ts";
import { CHUNK, reading } from "../agents/line-record.ts";

/** Of a larger file only the end is read: a path that an agent names may lead to anything. */
const MOST_READ = 4096 * CHUNK;
/** A line with a command is a person's own, never as long as this. */
const LONGEST_LINE = CHUNK;
const MOST_KEPT = 100;
const MOST_RECORDS = 500;

type Seen = { inode: number; offset: number; carry: Buffer; commands: { text: string; end: number }[] };
export type CommandMemory = ReturnType<typeof createCommandMemory>;

/**
 * The commands that persons began turns with, as the agents' records have them: each record is read once, in pieces, and
 * after that only what was added. Kept is where the last commands stand, nothing of what is between them.
 */
export function createCommandMemory() {
  const records = new Map<string, Seen>();
  const serial = createSerial();

  async function refresh(path: string, format: LineFormat): Promise<Seen | undefined> {
    return reading(path, async (file, { size, ino }) => {
      const before = records.get(path);
      const isSame = before?.inode === ino && before.offset <= size;
      const seen: Seen = isSame ? before : { inode: ino, offset: 0, carry: Buffer.alloc(0), commands: [] };
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

  return {
    /** The last command before that place of the record; undefined where it has none. */
    async last(path: string, format: LineFormat, before = Infinity): Promise<string | undefined> {
      // One after the other: two that read the same record at once would lose a piece of it.
      const seen = await serial(path, () => refresh(path, format));
      return seen?.commands.findLast(({ end }) => end <= before)?.text;
    },
  };
}

/** Looks for the mark in the bytes: most of a record is never turned into text. */
function take(seen: Seen, bytes: Buffer, { marks, read }: LineFormat, offset: number): void {
  const start = offset - bytes.length;
  const whole = bytes.lastIndexOf(10) + 1;
  for (let at = bytes.indexOf(marks.command); at >= 0 && at < whole;) {
    const begin = bytes.lastIndexOf(10, at) + 1;
    const end = bytes.indexOf(10, at) + 1;
    const item = read(bytes.toString("utf8", begin, end)).findLast(({ type }) => type === "command");
    if (item?.type === "command") seen.commands.push({ text: item.text, end: start + end });
    at = bytes.indexOf(marks.command, end);
  }
  seen.commands = seen.commands.slice(-MOST_KEPT);
  seen.offset = offset;
  const rest = bytes.subarray(whole);
  seen.carry = rest.length > LONGEST_LINE ? Buffer.alloc(0) : Buffer.from(rest);
}
