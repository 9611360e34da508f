import type { Screen } from "../../capability/screen.ts";

/** The input box: below a rule, above the line that names the folder. */
export function readInput(lines: readonly string[]): Screen | undefined {
  const foot = lines.findLastIndex((line) => line.startsWith(" workspace (/directory)"));
  const rule = lines.slice(0, Math.max(foot, 0)).findLastIndex((line) => /^─{10,}$/.test(line));
  const start = lines.findIndex((line, i) => i > rule && line.startsWith(" > "));
  if (foot < 0 || rule < 0 || start < 0 || start > foot || lines.length - foot > 4) return undefined;
  const drawn = lines.slice(start, foot).map((line) => line.slice(3).trim());
  const text = drawn.filter((line) => !/^[▄▀]*$/.test(line)).join("\n");
  return { type: "prompt", draft: text === EMPTY ? "" : text };
}

const EMPTY = "Type your message or @path/to/file";
