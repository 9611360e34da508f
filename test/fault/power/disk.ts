import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { DiskOp } from "./log.ts";

/**
 * What is left of that which was not synced. `synced`: nothing. `prefix`: what was first, the last of it torn.
 * `any`: any of it, in sectors. `all`: everything, as after a kill.
 */
export const KINDS = ["synced", "prefix", "any", "all"] as const;
export type CutKind = (typeof KINDS)[number];
export type Random = () => number;

type Data = { do: "write"; offset: number; data: Buffer; at: number } | { do: "truncate"; size: number; at: number };
type Inode = { kind: "file" | "folder" | "symlink"; target?: string; mode: number; kept: Buffer; pending: Data[] };
export type Names = Map<string, Inode>;
type Naming = { at: number; inodes: Inode[]; folders: string[]; apply(names: Names): void };

const SECTOR = 512;

/**
 * A disk that forgets what was not synced. What is written to a file stays when the file was synced. Names are a
 * journal, as in ext4, xfs and btrfs: syncing a file or a folder keeps its names, and every change of a name before that.
 * Only what was asked for before a sync began is kept by it, and only when it has ended. `noSync`: no sync does anything.
 */
export function createDisk(root: string, base: Names, { noSync = false } = {}) {
  // Several disks may begin with the same one.
  const now: Names = new Map([...base].map(([path, inode]) => [path, { ...inode, pending: [] }]));
  const kept: Names = new Map(now);
  let naming: Naming[] = [];
  const syncing = new Map<number, { inode: Inode; path: string; at: number }>();
  let at = 0;

  function rename(change: Omit<Naming, "at">): void {
    change.apply(now);
    naming.push({ ...change, at });
  }

  function write(path: string, data: Data): void {
    now.get(path)?.pending.push(data);
  }

  function keep({ inode, path, at: until }: { inode: Inode; path: string; at: number }): void {
    inode.kept = written(
      inode.kept,
      inode.pending.filter((data) => data.at <= until),
    );
    inode.pending = inode.pending.filter((data) => data.at > until);
    const isOf = (each: Naming) => each.at <= until && (each.inodes.includes(inode) || each.folders.includes(path));
    const last = naming.findLastIndex(isOf);
    for (const each of naming.slice(0, last + 1)) each.apply(kept);
    naming = naming.slice(last + 1);
  }

  function take(op: DiskOp): void {
    at++;
    switch (op.do) {
      case "create":
      case "folder":
      case "symlink": {
        const inode = made(op.do === "create" ? "file" : op.do, op.do === "symlink" ? op.other : undefined);
        return rename({
          inodes: [inode],
          folders: [dirname(op.path)],
          apply: (names) => void names.set(op.path, inode),
        });
      }
      case "remove":
        return rename({
          inodes: [],
          folders: [dirname(op.path)],
          apply: (names) => below(names, op.path).forEach((path) => names.delete(path)),
        });
      case "link": {
        const inode = now.get(op.path);
        if (!inode) return;
        const apply = (names: Names) => void names.set(op.other, inode);
        return rename({ inodes: [inode], folders: [dirname(op.other)], apply });
      }
      case "rename": {
        const inode = now.get(op.path);
        if (!inode) return;
        const apply = (names: Names) => moved(names, op.path, op.other);
        return rename({ inodes: [inode], folders: [dirname(op.path), dirname(op.other)], apply });
      }
      case "write":
        return write(op.path, { do: "write", offset: op.offset, data: op.data, at });
      case "truncate":
        return write(op.path, { do: "truncate", size: op.size, at });
      case "sync": {
        const inode = now.get(op.path);
        if (inode && !noSync) syncing.set(op.number, { inode, path: op.path, at });
        return;
      }
      case "synced": {
        const sync = syncing.get(op.number);
        syncing.delete(op.number);
        return sync && keep(sync);
      }
    }
  }

  return {
    take,
    /** The power is gone: writes what is left to where the root was. */
    cut(kind: CutKind, random: Random): void {
      const names = new Map(kept);
      const more = { synced: 0, all: naming.length, prefix: below1(), any: below1() }[kind];
      for (const each of naming.slice(0, more)) each.apply(names);
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root, { recursive: true, mode: 0o700 });
      for (const [path, inode] of [...names].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (path === root) continue;
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        if (inode.kind === "folder") mkdirSync(path, { recursive: true, mode: inode.mode });
        else if (inode.kind === "symlink") symlinkSync(inode.target ?? "", path);
        else writeFileSync(path, contentOf(path, inode, kind, random), { mode: inode.mode });
      }

      function below1(): number {
        return Math.floor(random() * (naming.length + 1));
      }
    },
    /** Paths where what was recorded is not what is there: the recorder missed something. */
    differences(there: Names): string[] {
      const isOther = (path: string) => {
        const [mine, real] = [now.get(path), there.get(path)];
        if (!mine || !real || mine.kind !== real.kind) return true;
        return mine.kind === "file" && !path.endsWith("-shm") && !written(mine.kept, mine.pending).equals(real.kept);
      };
      return [...new Set([...now.keys(), ...there.keys()])].filter(isOther);
    },
    /** How many changes a cut could lose now, of names and of what lies below this path. */
    unsynced(below: string): number {
      const mine = [...now].filter(([path]) => path.startsWith(below));
      return naming.length + mine.reduce((sum, [, { pending }]) => sum + pending.length, 0);
    },
  };
}

/** What is there, as if all of it were synced. */
export function namesBelow(root: string): Names {
  const all = ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })].map((name) => join(root, name));
  return new Map(
    all.flatMap((path): [string, Inode][] => {
      const info = lstatSync(path);
      const mode = info.mode & 0o777;
      if (info.isDirectory()) return [[path, { ...made("folder"), mode }]];
      if (info.isSymbolicLink()) return [[path, made("symlink", readlinkSync(path))]];
      return info.isFile() ? [[path, { ...made("file"), mode, kept: readFileSync(path) }]] : [];
    }),
  );
}

const made = (kind: Inode["kind"], target?: string): Inode => ({
  kind,
  mode: kind === "folder" ? 0o700 : 0o600,
  kept: Buffer.alloc(0),
  pending: [],
  ...(target !== undefined && { target }),
});

const below = (names: Names, path: string) =>
  [...names.keys()].filter((name) => name === path || name.startsWith(join(path, "/")));

function moved(names: Names, from: string, to: string): void {
  const parts = below(names, from).map((path): [string, Inode | undefined] => [path, names.get(path)]);
  for (const path of [...below(names, to), ...parts.map(([path]) => path)]) names.delete(path);
  for (const [path, inode] of parts) if (inode) names.set(`${to}${path.slice(from.length)}`, inode);
}

function contentOf(path: string, { kept, pending }: Inode, kind: CutKind, random: Random): Buffer {
  // It is written through the memory of a process, and may be anything.
  if (path.endsWith("-shm") && kind !== "all") return Buffer.from(Array.from({ length: 64 }, () => random() * 256));
  if (kind === "synced") return kept;
  if (kind === "all") return written(kept, pending);
  if (kind === "any")
    return written(
      kept,
      pending.flatMap((data) => torn(data, () => random() < 0.5)),
    );
  const last = Math.floor(random() * (pending.length + 1));
  const [whole, half] = [pending.slice(0, last), pending.slice(last, last + 1)];
  let isOver = false;
  const until = () => !(isOver ||= random() < 0.3);
  return written(kept, [...whole, ...half.flatMap((data) => torn(data, until))]);
}

/** The sectors of a write that reached the disk. */
function torn(data: Data, isThere: () => boolean): Data[] {
  if (data.do === "truncate") return isThere() ? [data] : [];
  const parts: Data[] = [];
  for (let from = 0; from < data.data.length;) {
    const length = Math.min(SECTOR - ((data.offset + from) % SECTOR), data.data.length - from);
    if (isThere()) parts.push({ ...data, offset: data.offset + from, data: data.data.subarray(from, from + length) });
    from += length;
  }
  return parts;
}

function written(before: Buffer, changes: readonly Data[]): Buffer {
  if (changes.length === 0) return before;
  let size = before.length;
  const ends = changes.map((change) => (change.do === "write" ? change.offset + change.data.length : change.size));
  const bytes = Buffer.alloc(Math.max(size, ...ends));
  before.copy(bytes);
  for (const change of changes)
    if (change.do === "write") {
      change.data.copy(bytes, change.offset);
      size = Math.max(size, change.offset + change.data.length);
    } else {
      bytes.fill(0, Math.min(size, change.size));
      size = change.size;
    }
  return bytes.subarray(0, size);
}
