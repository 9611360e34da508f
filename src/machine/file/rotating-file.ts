import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  writeSync,
} from "node:fs";

type Limits = { maxBytes: number; keep: number };
export type RotatingFile = { write(text: string): void; isSameAs(fd: number): boolean; close(): void };

/**
 * Text that is only ever appended to, at most `keep` older files of about `maxBytes` beside it: `x.1` is the newest.
 * Contract: every write is whole in one of them. The file is copied and emptied, not renamed: whoever else has it open
 * for appending, such as the process's own stderr, goes on in the file people look at.
 */
export function openRotating(path: string, { maxBytes, keep }: Limits): RotatingFile {
  const fd = openSync(path, "a", 0o600);
  chmodSync(path, 0o600);

  function rotate(): void {
    for (let n = keep - 1; n >= 1; n--) if (existsSync(`${path}.${n}`)) renameSync(`${path}.${n}`, `${path}.${n + 1}`);
    // A kill in the middle leaves no half copy under a name that is read.
    copyFileSync(path, `${path}.0`);
    chmodSync(`${path}.0`, 0o600);
    renameSync(`${path}.0`, `${path}.1`);
    ftruncateSync(fd, 0);
  }

  return {
    write(text) {
      const bytes = Buffer.from(text);
      const { size } = fstatSync(fd);
      if (size > 0 && size + bytes.length > maxBytes) rotate();
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    },
    isSameAs(other) {
      const [mine, theirs] = [fstatSync(fd), fstatSync(other)];
      return mine.ino === theirs.ino && mine.dev === theirs.dev;
    },
    close: () => closeSync(fd),
  };
}

/** The files there are, oldest first. */
export function rotatedFiles(path: string): string[] {
  const older: string[] = [];
  for (let n = 1; existsSync(`${path}.${n}`); n++) older.unshift(`${path}.${n}`);
  return existsSync(path) ? [...older, path] : older;
}
