import type { DrawnLayout } from "../../agents/capability/screen-layout.ts";
import type { Screen } from "../screen.ts";

/** What may stand below the input box: a few lines of hints. */
const FOOT = 4;

export function readPrompt(lines: readonly string[], { rule, prompt }: DrawnLayout): Screen | undefined {
  const end = lines.findLastIndex((line) => rule.test(line));
  const foot = lines.slice(end + 1);
  // Suggestions to choose from stand there too, not indented: then Enter would take one.
  if (end < 0 || foot.length > FOOT || foot.some((line) => line !== "" && !line.startsWith("  "))) return undefined;
  const start = lines.slice(0, end).findLastIndex((line) => /^─{10,}/.test(line));
  const [first, ...more] = lines.slice(start + 1, end);
  const typed = first === undefined ? null : prompt.exec(first);
  if (start < 0 || !typed || more.some((line) => line !== "" && !line.startsWith("  "))) return undefined;
  return { type: "prompt", draft: [typed[1] ?? "", ...more.map((line) => line.trim())].join("\n").trim() };
}
