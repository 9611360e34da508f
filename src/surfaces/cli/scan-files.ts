import { constants } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";

const CHUNK = 1024 * 1024;
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

/** Contract: the buffer is filled anew soon after; `-` is standard input. While one part is looked through the next one is read. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (path === "-") {
    for await (const chunk of Bun.stdin.stream()) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return;
  }
  await using file = await openFile(path);
  const [first, second] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
  const readInto = (buffer: Buffer) => {
    const reading = file.read(buffer, 0, CHUNK);
    // Whoever waits for it hears of it.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = readInto(first);
  try {
    for (;;) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      reading = readInto(buffer === first ? second : first);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await reading.catch(() => undefined);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new ParleyError("not_found", `There is no file ${path}`);
    throw new ParleyError("usage", `${path} cannot be read: ${code}`, { cause: error });
  }
}
