import { constants } from "node:fs";
import { lstat, open, opendir, readdir, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** What lies at a path, without following a link there. `isCut`: there is more than was counted. */
export type Look =
  | { type: "missing" | "other" }
  | { type: "unreadable"; why: string }
  | { type: "file"; bytes: number; isBinary: boolean | undefined }
  | { type: "link"; to: string }
  | { type: "folder"; files: number; bytes: number; isCut: boolean };

const MOST_ENTRIES = 20_000;
const BEGINNING = 8192;

/** Contract: opens nothing but plain files, reads no more than their beginning, and ends when `until` (performance.now) has come. */
export async function lookAt(path: string, until: number): Promise<Look> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { type: "link", to: await readlink(path) };
    if (found.isDirectory()) return await countIn(path, until);
    if (!found.isFile()) return { type: "other" };
    return { type: "file", bytes: found.size, isBinary: await isBinary(path) };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { type: "missing" } : { type: "unreadable", why: code };
  }
}

async function countIn(top: string, until: number): Promise<Look> {
  let [files, bytes, entries] = [0, 0, 0];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // One that may not be read has no names; the others count.
    const names = await opendir(folder, { bufferSize: 256 }).catch(() => undefined);
    for await (const entry of names ?? []) {
      if (++entries > MOST_ENTRIES || performance.now() > until) return { type: "folder", files, bytes, isCut: true };
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else {
        files++;
        bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
      }
    }
  }
  return { type: "folder", files, bytes, isCut: false };
}

/** As git says it: a NUL in the beginning. Undefined: it may not be read. */
async function isBinary(path: string): Promise<boolean | undefined> {
  const bytes = await beginningOf(path, BEGINNING).catch(() => undefined);
  return bytes?.includes(0);
}

async function beginningOf(path: string, most: number): Promise<Buffer> {
  // Whatever was put there since it was looked at: a pipe would be waited for, a link followed.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The text of a plain file. Undefined: there is none. */
export async function textAt(path: string, most: number): Promise<{ text: string } | { cannot: string } | undefined> {
  const look = await lookAt(path, Infinity);
  if (look.type === "missing") return undefined;
  if (look.type !== "file")
    return { cannot: look.type === "unreadable" ? `it may not be read (${look.why})` : "it is no file" };
  if (look.bytes > most) return { cannot: `the file has more than ${most / 1024} KiB` };
  if (look.isBinary !== false) return { cannot: look.isBinary ? "the file is binary" : "the file may not be read" };
  const bytes = await beginningOf(path, look.bytes).catch(() => undefined);
  return bytes ? { text: bytes.toString("utf8") } : { cannot: "the file may not be read" };
}

const MOST_NAMES = 10_000;

/** The names that a shell would put in the place of `a*b`, in its last part alone; hidden ones only where it begins with a dot. */
export async function namesLike(pattern: string): Promise<string[]> {
  const [folder, last] = [dirname(pattern), basename(pattern)];
  const parts = last.split("*");
  const names = await readdir(folder).catch(() => []);
  return names
    .slice(0, MOST_NAMES)
    .filter((name) => (last.startsWith(".") || !name.startsWith(".")) && fits(name, parts))
    .toSorted()
    .map((name) => join(folder, name));
}

function fits(name: string, [first = "", ...rest]: readonly string[]): boolean {
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
