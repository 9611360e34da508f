import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { writeWholly } from "../../machine/time/patience.ts";

/** `<end of a part> <when it came>` in lines of one length: a time is found without reading all of them. */
const LINE = 32;
const FIELD = 15;

export function noteTime(file: number, end: number, at: number): Promise<void> {
  return writeWholly(file, Buffer.from(`${String(end).padStart(FIELD)} ${String(at).padStart(FIELD)}\n`));
}

/** When the byte before `end` of a stream came; undefined where nobody noted it. */
export function createTimes(path: string) {
  const file = open(path);
  const count = file === undefined ? 0 : Math.floor(fstatSync(file).size / LINE);
  const line = Buffer.alloc(LINE);

  function read(index: number): [end: number, at: number] {
    if (file !== undefined) readSync(file, line, 0, LINE, index * LINE);
    return [Number(line.toString("latin1", 0, FIELD)), Number(line.toString("latin1", FIELD, LINE))];
  }

  return {
    at(end: number): number | undefined {
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (read(middle)[0] < end) low = middle + 1;
        else high = middle;
      }
      return low < count ? read(low)[1] : undefined;
    },
    [Symbol.dispose](): void {
      if (file !== undefined) closeSync(file);
    },
  };
}

function open(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
