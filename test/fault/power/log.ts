import { readFileSync } from "node:fs";

/** One thing that was done to the disk, or asked of it; `end`: where its record ends in the log. */
export type DiskOp = { end: number } & (
  | { do: "create" | "folder" | "remove"; path: string }
  | { do: "rename" | "link" | "symlink"; path: string; other: string }
  | { do: "write"; path: string; offset: number; data: Buffer }
  | { do: "truncate"; path: string; size: number }
  | { do: "sync"; path: string; number: number }
  | { do: "synced"; number: number }
);

const HEAD = 25;
const PLAIN = { C: "create", D: "folder", U: "remove" } as const;
const PAIRS = { R: "rename", L: "link", S: "symlink" } as const;

/** Contract: throws for what the recorder could not follow; half a record at the end is left out. */
export function readDiskLog(file: string): DiskOp[] {
  const bytes = readFileSync(file);
  const ops: DiskOp[] = [];
  for (let at = 0; at + HEAD <= bytes.length;) {
    const type = String.fromCharCode(bytes[at] ?? 0);
    const number = bytes.readUInt32LE(at + 1);
    const [first, second] = [bytes.readUInt32LE(at + 5), bytes.readUInt32LE(at + 9)];
    const offset = Number(bytes.readBigUInt64LE(at + 13));
    const length = bytes.readUInt32LE(at + 21);
    const end = at + HEAD + first + second + length;
    if (end > bytes.length) break;
    const path = bytes.toString("utf8", at + HEAD, at + HEAD + first);
    const other = bytes.toString("utf8", at + HEAD + first, at + HEAD + first + second);
    if (type in PLAIN) ops.push({ do: PLAIN[type as keyof typeof PLAIN], path, end });
    else if (type in PAIRS) ops.push({ do: PAIRS[type as keyof typeof PAIRS], path, other, end });
    else if (type === "W") ops.push({ do: "write", path, offset, data: bytes.subarray(end - length, end), end });
    else if (type === "T") ops.push({ do: "truncate", path, size: offset, end });
    else if (type === "B") ops.push({ do: "sync", path, number, end });
    else if (type === "E") ops.push({ do: "synced", number, end });
    else throw new Error(`the recorder cannot follow: ${other} (${path})`);
    at = end;
  }
  return ops;
}
