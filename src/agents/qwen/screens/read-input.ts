import type { Screen } from "../../capability/screen.ts";

/** What may stand below the input box: the folder, the model, the mode. */
const FOOT = 4;
const EMPTY = "Type your message or @path/to/file";

/** The input box, between two rules. */
export function readInput(lines: readonly string[]): Screen | undefined {
  const end = lines.findLastIndex((line) => /^─{10,}$/.test(line));
  const start = lines.slice(0, Math.max(end, 0)).findLastIndex((line) => /^─{10,}$/.test(line));
  const foot = lines.slice(end + 1);
  const [first, ...more] = lines.slice(start + 1, end);
  // Suggestions to choose from stand there too: then Enter would take one.
  if (start < 0 || foot.length > FOOT || foot.some((line) => line !== "" && !/^ {2}\S/.test(line))) return undefined;
  if (first === undefined || !/^>(?: |$)/.test(first) || more.some((line) => line !== "" && !/^ {2}/.test(line)))
    return undefined;
  const text = [first.slice(1), ...more].map((line) => line.trim()).join("\n");
  return { type: "prompt", draft: text === EMPTY ? "" : text };
}
