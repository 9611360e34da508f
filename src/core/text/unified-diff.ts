import { structuredPatch } from "diff";

/** Changed lines beyond which the whole text is shown as replaced: finding the shortest change takes their square. */
const MOST_CHANGED = 1000;

/** A change of a text file as `patch` takes it; undefined is "no file". */
export function unifiedDiff(
  { before, after }: { before: string | undefined; after: string | undefined },
  path: string,
): string[] {
  const [old, now] = [shown(before), shown(after)];
  const found = structuredPatch(path, path, old, now, "", "", { context: 3, maxEditLength: MOST_CHANGED });
  const hunks = found?.hunks ?? [replaced(linesOf(old), linesOf(now))];
  const name = (text: string | undefined) => (text === undefined ? "/dev/null" : path);
  return [
    `--- ${name(before)}`,
    `+++ ${name(after)}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${start(oldStart, oldLines)},${oldLines} +${start(newStart, newLines)},${newLines} @@`,
      ...lines.filter((line) => !line.startsWith("\\")),
    ]),
  ];
}

/** The library counts from 1 where there is no line; patch wants 0. */
const start = (line: number, lines: number) => (lines === 0 ? line - 1 : line);

function replaced(old: readonly string[], now: readonly string[]) {
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
}

/** A project's settings come from strangers too: what would steer the terminal or turn the text round is shown as its code. */
function shown(text: string | undefined): string {
  const steering = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu;
  const safe = (text ?? "").replaceAll(steering, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
  return safe.replaceAll(/\r\n|\r/g, "\n");
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line, i, all) => line !== "" || i < all.length - 1);
}
