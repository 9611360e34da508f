import { unifiedDiff } from "../text/unified-diff.ts";

/** What a call would make of one file: all of its text, or some places of it. */
export type FileChange = { path: string } & (
  | { content: string }
  | { edits: readonly { before: string; after: string; all: boolean }[] }
);

/** The file as it would be. `now`: as it is; undefined where there is none. */
export function changed(change: FileChange, now: string | undefined): { after: string } | { cannot: string } {
  if ("content" in change) return { after: change.content };
  let text = now;
  for (const { before, after, all } of change.edits) {
    if (before === "" && (text ?? "") === "") {
      text = after;
      continue;
    }
    if (text === undefined) return { cannot: "the file does not exist" };
    if (before === "") return { cannot: "it names no text to replace" };
    const [count, first] = [text.split(before).length - 1, text.indexOf(before)];
    if (count === 0) return { cannot: "the text to replace is not in the file as it is now" };
    if (count > 1 && !all) return { cannot: `the text to replace is in the file ${count} times` };
    // Not `replace`: in what is put there a dollar sign means itself.
    text = all ? text.split(before).join(after) : text.slice(0, first) + after + text.slice(first + before.length);
  }
  return { after: text ?? "" };
}

export function diffOf(
  now: string | undefined,
  after: string,
  path: string,
): { patch: string; added: number; removed: number } {
  const lines = unifiedDiff({ before: now, after }, path);
  const count = (mark: string) => lines.slice(2).filter((line) => line.startsWith(mark)).length;
  return { patch: lines.join("\n"), added: count("+"), removed: count("-") };
}
