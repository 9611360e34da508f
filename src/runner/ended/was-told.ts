import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { LineFormat } from "../../agents/capability/record.ts";
import { createLineCutter } from "../../machine/file/lines.ts";

const CHUNK = 256 * 1024;

/** Whether the agent has written a message with these words down, behind that place of its record. */
export function wasTold(record: string, from: number, { marks, read }: LineFormat, words: string): boolean {
  const wanted = words.trim();
  let isFound = false;
  const lines = createLineCutter((line) => {
    const text = line.toString("utf8");
    isFound ||=
      text.includes(marks.told) && read(text).some((item) => item.type === "told" && item.text.includes(wanted));
  });
  const file = open(record);
  if (file === undefined) return false;
  try {
    // Shorter than it was: another file took its place.
    let offset = fstatSync(file).size < from ? 0 : from;
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let size = 1; size > 0 && !isFound; offset += size) {
      size = readSync(file, buffer, 0, CHUNK, offset);
      lines.write(buffer.subarray(0, size));
    }
    return isFound;
  } finally {
    closeSync(file);
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
