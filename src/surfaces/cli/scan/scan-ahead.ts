import { readSync } from "node:fs";
import { createLineCutter } from "../../../machine/file/lines.ts";
import { createParts, type Parts, type SharedParts, shareParts } from "./scan-parts.ts";
import { seekMarks } from "./scan-bytes.ts";
import { openFile } from "./scan-files.ts";

const CHUNK = 512 * 1024;
/** After a jump: a question and what came of it mostly stand in the next lines. */
const FEW = 32 * 1024;
const LONGEST_LINE = 1024 * 1024;
const NEWLINE = Buffer.from("\n");

/** What the other thread is told. */
export type Errand = { paths: readonly string[]; shared: SharedParts };

/**
 * The other thread's work: from the last part on, until the first one that somebody else has.
 * Contract: says of a part either where all the lines are that hold a mark, or nothing.
 */
export async function lookAhead({ paths, shared }: Errand): Promise<void> {
  const parts = createParts(shared);
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let i = parts.count - 1; i >= 0 && parts.claim(i); i--) {
    const { file, from, to } = parts.of(i);
    parts.finish(i, await linesIn(paths[file] ?? "", from, to, buffer).catch(() => undefined));
  }
}

type Lines = { begin: number; end: number; places: number[] };

/** Of the lines that begin in this part those that hold a mark: where each begins and ends. Undefined: nobody can tell. */
async function linesIn(path: string, from: number, to: number, buffer: Buffer): Promise<Lines | undefined> {
  await using file = await openFile(path);
  const begin = from === 0 ? 0 : lineAfter(file.fd, from - 1, buffer);
  const end = lineAfter(file.fd, to - 1, buffer);
  if (begin === undefined || end === undefined) return;
  const places: number[] = [];
  const lines = createLineCutter(
    (line, after) => void places.push(begin + after - line.length - NEWLINE.length, begin + after),
    { seek: seekMarks },
  );
  for (let at = begin; at < end;) {
    const count = readSync(file.fd, buffer, 0, Math.min(CHUNK, end - at), at);
    if (count === 0) return;
    lines.write(buffer.subarray(0, count));
    at += count;
  }
  return { begin, end, places };
}

/** Where the line ends in which this byte is. A long one is for whoever reads all of it. */
function lineAfter(fd: number, from: number, buffer: Buffer): number | undefined {
  for (let at = from; at < from + LONGEST_LINE;) {
    const count = readSync(fd, buffer, 0, FEW, at);
    if (count === 0) return;
    const found = buffer.subarray(0, count).indexOf(NEWLINE);
    if (found >= 0) return at + found + NEWLINE.length;
    at += count;
  }
  return;
}

/**
 * The bytes of a file, like `bytesOf`, without lines that the other thread found to hold no mark: those are left out unless
 * `needsAll`. What it has not looked at is read here. Contract: the buffer is filled anew soon after.
 */
export async function* wantedBytesOf(
  path: string,
  index: number,
  parts: Parts,
  needsAll: () => boolean,
): AsyncGenerator<Buffer> {
  await using file = await openFile(path);
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ;) {
    const next = needsAll() ? at : parts.next(index, at);
    // It ends the line of which only the beginning was read, and which holds no mark.
    if (next > at) yield NEWLINE;
    const count = readSync(file.fd, buffer, 0, next > at ? FEW : CHUNK, next);
    if (count === 0) return;
    at = next + count;
    yield buffer.subarray(0, count);
  }
}

/** Starts the other thread on all of them. */
export function startAhead(paths: readonly string[], sizes: readonly number[]): Parts {
  const shared = shareParts(sizes);
  const worker = new Worker(Bun.main, { argv: ["scan-ahead"] });
  worker.postMessage({ paths, shared } satisfies Errand, []);
  return createParts(shared);
}
