import type { Does } from "../fact/command-reading.ts";
import type { Fact } from "../fact/fact.ts";
import { safeLine } from "../text/text.ts";

/** Above what Parley found itself: apart from what the agent says. */
export const FACTS_HEADING = "Found by Parley, without running it:";
/** Of a change that is shown against the file itself. */
export const LONGEST_FACT = 400;

/** One fact as a line, how it was found behind it. */
export const factLine = ({ text, how }: Fact): { text: string; how: string } => ({
  text: safeLine(text, { max: LONGEST_FACT }),
  how: safeLine(how, { max: 160 }),
});

/** A name with characters that steer a terminal or hide is written with their codes: it must not look like another one. */
export function pathWords(path: string): string {
  const shown = path.length > 160 ? `${path.slice(0, 80)}…${path.slice(-79)}` : path;
  if (shown.isWellFormed() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(shown)) return shown;
  const code = (char: string) => `\\u{${char.codePointAt(0)?.toString(16)}}`;
  return `"${shown.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}"\\]/gu, code)}"`;
}

/** `deletes build/: …`. */
export const touchWords = (does: Does, path: string, parts: readonly string[]): string =>
  `${does} ${pathWords(path)}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;

export const GIT_WORDS = {
  clean: "in git, unchanged",
  changed: "in git, with changes that are not committed",
  untracked: "not in git",
  ignored: "ignored by git",
  "partly untracked": "in git, with files in it that are not",
} as const;

/** What cannot be told is said once, with all reasons. */
export function unknownFact(reasons: readonly string[]): Fact[] {
  const [first, second, third, ...more] = [...new Set(reasons)];
  if (first === undefined) return [];
  const named = [first, second, third].filter(Boolean).join("; ");
  const text = `The rest cannot be told: ${named}${more.length > 0 ? `; and ${more.length} more` : ""}`;
  return [{ about: "unknown", text, how: "its words, read as a shell reads them" }];
}

export const elsewhereFact = (container: string): Fact[] => [
  {
    about: "unknown",
    text: "What it would do was not looked at: its files are not these",
    how: `it runs in container ${container}`,
  },
];

/** The host of an address, never what stands before it: that may be a password. */
export function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed?.host) return parsed.host;
  return /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)/.exec(url)?.[1];
}
