import { constants, statSync } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ParleyError } from "../../../core/error.ts";

const CHUNK = 512 * 1024;
/** So many parts are read at once, each by a thread of its own: to copy them out of the system takes longer than to look through them. */
const AHEAD = 3;
/** Below it the start of a second thread takes longer than what it saves. */
const MUCH = 32 * 1024 * 1024;
const RECORD = /\.(jsonl|ndjson)$/;

/** The file itself, or every record in a folder, in the order of their names. */
export async function filesIn(path: string): Promise<string[]> {
  const isFolder = path !== "-" && (await stat(path).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [path];
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  const records = found.filter((each) => each.isFile() && RECORD.test(each.name));
  if (records.length === 0) throw new ParleyError("not_found", `${path} holds no .jsonl and no .ndjson`);
  return records.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}

/** Of files; what is none, or cannot be looked at, has no size. */
export const sizesOf = (paths: readonly string[]): number[] => paths.map((path) => (path === "-" ? 0 : sizeOf(path)));

function sizeOf(path: string): number {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : 0;
  } catch {
    return 0;
  }
}

/** Whether a second thread is worth its start, and has a core. */
export const isMuch = (sizes: readonly number[]): boolean =>
  navigator.hardwareConcurrency > 1 && sizes.reduce((sum, size) => sum + size, 0) >= MUCH;

/** Contract: the buffer is filled anew soon after; `-` is standard input. While one part is looked through the next ones are read. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (path === "-") {
    for await (const chunk of Bun.stdin.stream()) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return;
  }
  await using file = await openFile(path);
  const isFile = (await file.stat()).isFile();
  const free: Buffer[] = [];
  let started: ReturnType<typeof readPart>[] = [];
  let next = 0;

  async function readPart(from: number) {
    const buffer = free.pop() ?? Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await file.read(buffer, 0, CHUNK, isFile ? from : null);
    return { from, buffer, bytesRead };
  }
  function start(): void {
    const part = readPart(next);
    // Whoever waits for it hears of it.
    part.catch(() => undefined);
    started.push(part);
    next += CHUNK;
  }
  async function dropStarted(): Promise<void> {
    for (const part of await Promise.allSettled(started)) if (part.status === "fulfilled") free.push(part.value.buffer);
    started = [];
  }

  try {
    for (start(); ;) {
      const part = await started.shift();
      if (!part || part.bytesRead === 0) return;
      // Its end, or it has just grown there: those behind began too far on.
      if (isFile && part.bytesRead < CHUNK) {
        await dropStarted();
        next = part.from + part.bytesRead;
      }
      // Of a pipe only one: nobody knows how much there is.
      const ahead = isFile && part.bytesRead === CHUNK ? AHEAD : 1;
      while (started.length < ahead) start();
      yield part.buffer.subarray(0, part.bytesRead);
      free.push(part.buffer);
    }
  } finally {
    await dropStarted();
  }
}

export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new ParleyError("not_found", `There is no file ${path}`);
    throw new ParleyError("usage", `${path} cannot be read: ${code}`, { cause: error });
  }
}
