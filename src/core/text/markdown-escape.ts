import { safeLine, safeText } from "./text.ts";

// For Markdown that others read, with words of agents in it: none of them may become markup, a link or somebody's name.

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A block in which nothing means anything, whatever stands in it. `info`: what it is, such as diff. */
export function fenced(text: string, info = "", max = 8000): string {
  const body = safeText(text, { max }).replace(/\n+$/, "");
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${info}\n${body}\n${fence}`;
}

/** One line in which nothing means anything. */
export function codeSpan(text: string, max = 400): string {
  const line = safeLine(text, { max });
  if (line === "") return "";
  const fence = "`".repeat(longestRun(line) + 1);
  const pad = /^`|`$/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** One line as text; names, numbers of issues and addresses in it lead nowhere. */
export function escapedLine(text: string, max = 600): string {
  return safeLine(text, { max })
    .replace(/[\\`*_{}[\]<>|~&!$]/g, "\\$&")
    .replace(/^([-+=]|\d+(?=[.)]))/, "\\$1")
    .replace(/^(\\\d+)([.)])/, (_all, digits: string, mark: string) => `${digits.slice(1)}\\${mark}`)
    .replace(/^\\=/, "=")
    .replace(/[@#]/g, "\\$&<!-- -->")
    .replace(/:\/\//g, ":<!-- -->//")
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}<!-- -->.`);
}
