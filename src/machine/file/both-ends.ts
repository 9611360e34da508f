import { byteSize } from "../../core/words/number.ts";
import { closeSync, openSync, readSync, fstatSync } from "node:fs";

/** How many bytes are kept of the beginning and of the end. What programs print has no bounds; memory has. */
export type Room = { head: number; tail: number };

const NOTHING = Buffer.alloc(0);

/** A file as text, or its two ends with what was left out between them. Empty when it cannot be read. */
export function bothEndsOf(path: string, { head, tail }: Room): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    if (size <= head + tail) return joined(bytesAt(file, 0, size), NOTHING, 0);
    return joined(bytesAt(file, 0, head), bytesAt(file, size - tail, tail), size - head - tail);
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The same of what a program prints. Contract: it is read to its end, so that nobody waits for a full pipe. */
export async function bothEndsFrom(stream: AsyncIterable<Uint8Array>, { head, tail }: Room): Promise<string> {
  let first: Buffer = NOTHING;
  let last: Buffer = NOTHING;
  let left = 0;
  for await (const chunk of stream) {
    const room = head - first.length;
    if (room > 0) first = Buffer.concat([first, chunk.subarray(0, room)]);
    const rest = room > 0 ? chunk.subarray(room) : chunk;
    if (rest.length === 0) continue;
    const all = Buffer.concat([last, rest]);
    last = all.subarray(Math.max(0, all.length - tail));
    left += all.length - last.length;
  }
  return joined(first, last, left);
}

function bytesAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (let size = 1; size > 0 && at < length; at += size) size = readSync(file, bytes, at, length - at, from + at);
  return bytes.subarray(0, at);
}

function joined(first: Buffer, last: Buffer, left: number): string {
  if (left === 0) return Buffer.concat([first, last]).toString("utf8");
  return `${whole(first)}\n… ${byteSize(left)} left out …\n${whole(last)}`;
}

/** Without the halves of characters at the cut. */
function whole(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && isInside(bytes[start])) start++;
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isInside(byte)) continue;
    if (lengthOf(byte) > back) end = bytes.length - back;
    break;
  }
  return bytes.subarray(start, end).toString("utf8");
}

/** UTF-8: a byte that does not begin a character. */
const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
const lengthOf = (byte: number) => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1);
