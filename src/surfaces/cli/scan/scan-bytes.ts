import { type FormatToLoad, LINE_FORMATS } from "../../../agents/line-formats.ts";
import { escapesIn, fewest, inLetters, seekAny } from "../../../agents/needles.ts";
import { createScan, markTest, type ScannedAsk } from "../../../agents/scan.ts";
import { createLineCutter } from "../../../machine/file/lines.ts";

const MARKS = fewest(LINE_FORMATS.flatMap(({ question }) => question));
/** What makes a line wanted, whatever stood before it. */
const marksFor = (bytes: Buffer): readonly Buffer[] => [...MARKS, ...escapesIn(bytes)];

export function seekMarks(bytes: Buffer): (from: number) => number {
  const marks = marksFor(bytes);
  return seekAny(bytes, () => marks);
}

/**
 * Finds the questions of all agents in a stream of bytes. Answers how many lines were too long to be read.
 * `chunks` may leave out lines without a mark while `needsAll` says no: nothing that was asked before waits for one.
 * Contract: a format is loaded only once a line holds a mark of it.
 */
export async function scanBytes(
  chunks: (needsAll: () => boolean) => AsyncIterable<Buffer>,
  found: (ask: ScannedAsk) => void,
): Promise<number> {
  const readers = LINE_FORMATS.map((format) => createReader(format, found));
  /** Lines from the first one on that needs a format which is not loaded: what it asks may make any other one wanted. */
  let held: Buffer[] | undefined;

  function take(line: Buffer): void {
    const letters = inLetters(line);
    const isReadable = !held && !readers.some((each) => each.lacks(letters));
    if (isReadable) for (const each of readers) each.line(line, letters);
    else (held ??= []).push(Buffer.from(line));
  }

  async function takeHeld(): Promise<void> {
    for (const line of held ?? []) {
      const letters = inLetters(line);
      for (const each of readers) if (each.lacks(letters)) await each.load();
      for (const each of readers) each.line(line, letters);
    }
    held = undefined;
  }

  const lines = createLineCutter(take, {
    seek(bytes) {
      const fixed = marksFor(bytes);
      const next = seekAny(bytes, () => [...fixed, ...readers.flatMap((each) => each.keys())]);
      return (from) => (held ? from : next(from));
    },
  });
  const needsAll = () => held !== undefined || readers.some((each) => each.keys().length > 0);
  for await (const chunk of chunks(needsAll)) {
    lines.write(chunk);
    if (held) await takeHeld();
  }
  // The last line may be half written: what cannot be read of it says nothing.
  lines.end();
  await takeHeld();
  for (const each of readers) each.end();
  return lines.skipped;
}

/** The reader of one format, which is nothing until it is loaded. */
function createReader({ question, load }: FormatToLoad, found: (ask: ScannedAsk) => void) {
  const isMarked = markTest(question);
  let scan: ReturnType<typeof createScan> | undefined;
  return {
    lacks: (letters: Buffer) => !scan && isMarked(letters),
    load: async () => void (scan = createScan(await load(), found)),
    keys: () => scan?.keys() ?? [],
    line: (line: Buffer, letters: Buffer) => scan?.line(line, letters),
    end: () => scan?.end(),
  };
}
