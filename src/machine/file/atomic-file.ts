import { mkdir, open, readFile, readlink, realpath, rename, rm, rmdir, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ParleyError } from "../../core/error.ts";

/** No settings file is near it; reading and comparing a larger one would take seconds and gigabytes. */
const LARGEST = 16 * 1024 * 1024;

/**
 * `expect` is the text the caller has read: a string, or null for "there was no file". Without it nothing is compared.
 * Without `mode` the file keeps the mode it has; a new one gets 0600. `own`: a file of Parley's own, where a link is
 * nothing of ours and is replaced instead of written through.
 */
export type WriteOptions = { mode?: number; expect?: string | null; own?: boolean };

/**
 * Contract: a reader sees the old text or the new one, never a part; a symbolic link stays and its target is written,
 * unless it is `own`; when it throws, the file is as it was.
 */
export async function writeAtomic(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  const target = options.own ? path : await followLinks(path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const old = await unlessMissing(stat(target));
  const temp = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}.tmp`);
  try {
    await withFile(temp, "wx", async (handle) => {
      await handle.writeFile(text);
      // The mode given to open() is cut by the umask; this one is not.
      await handle.chmod(options.mode ?? (old ? old.mode & 0o7777 : 0o600));
      // Under sudo the file must not become root's: its owner could not read it any more.
      if (old && process.geteuid?.() === 0) await handle.chown(old.uid, old.gid);
      await handle.sync();
    });
    await refuseIfChanged(path, options.expect);
    await rename(temp, target);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/**
 * From one text to another, undefined being "no file". Refuses when the file does not hold `before` any more.
 * Returns the path of the backup; there is none where no file was, or where it is deleted, and its folder with it if nothing
 * else is there. The backup lies beside the path people know, not beside a link's target: that may be a repository of dotfiles.
 */
export async function replaceFile(path: string, before: string | undefined, after: string | undefined) {
  if (after === undefined) {
    const target = await followLinks(path);
    await refuseIfChanged(path, before ?? null);
    await rm(target, { force: true });
    // A folder made for it is of no use any more; one that holds anything stays.
    await rmdir(dirname(target)).catch(() => undefined);
    return undefined;
  }
  if (before === undefined) {
    await writeAtomic(path, after, { expect: null });
    return undefined;
  }
  const backup = `${path}.parley-backup-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  const old = await unlessMissing(stat(path));
  await writeAtomic(backup, before, { mode: (old?.mode ?? 0o600) & 0o7777, expect: null });
  try {
    await writeAtomic(path, after, { expect: before });
    return backup;
  } catch (error) {
    await rm(backup, { force: true });
    throw error;
  }
}

/** The exact text, a byte order mark included; undefined when there is no file. Refuses what it could not write back. */
export async function readExact(path: string): Promise<string | undefined> {
  const info = await unlessMissing(stat(path));
  if (!info) return undefined;
  // Reading a pipe would wait for ever.
  if (!info.isFile()) throw new ParleyError("settings", `${path} is not a regular file.`);
  if (info.size > LARGEST)
    throw new ParleyError("settings", `${path} has ${info.size} bytes; at most ${LARGEST} are read.`);
  const bytes = await readFile(path);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new ParleyError("settings", `${path} is not UTF-8 text.`);
  return text;
}

async function refuseIfChanged(path: string, expected: string | null | undefined): Promise<void> {
  if (expected === undefined) return;
  if (((await readExact(path)) ?? null) === expected) return;
  throw new ParleyError(
    "settings",
    `${path} was changed by another program in the meantime; nothing was written. Run this again.`,
  );
}

/** Where a write to `path` ends up, also when the last link points to a file that does not exist yet. */
async function followLinks(path: string): Promise<string> {
  const real = await unlessMissing(realpath(path));
  if (real !== undefined) return real;
  const next = await readlink(path).catch(() => undefined);
  if (next === undefined) return resolve(path);
  const folder = (await unlessMissing(realpath(dirname(path)))) ?? dirname(path);
  return followLinks(resolve(folder, next));
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes the rename itself survive a power cut. Some file systems cannot sync a folder; the text is safe without it. */
export async function syncFolder(folder: string): Promise<void> {
  await withFile(folder, "r", (handle) => handle.sync()).catch(() => undefined);
}

async function withFile(path: string, flags: string, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags, 0o600);
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}
