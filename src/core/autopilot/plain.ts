import { safeLine } from "../text/text.ts";

/** As a person reads it: one line, no invisible characters, no case. Two texts that look the same are the same here. */
export function plain(text: string): string {
  // Most texts are plain already but for their case; the long way costs twenty times as much.
  if (/^[\x20-\x7e]*$/.test(text)) return text.replace(/ {2,}/g, " ").trim().toLowerCase();
  return safeLine(text.normalize("NFKC")).toLowerCase();
}

/** A label without what its asker added to it: "A) SQLite (Recommended)" is "sqlite". */
export function plainLabel(label: string): string {
  return plain(label)
    .replace(/^(?:[a-h]|\d)[).:] /, "")
    .replace(/\s?\((?:recommended|default|suggested)(?: for [^()]{1,40})?\)$/, "")
    .replace(/[.!]$/, "");
}

/** Whether `words` stand in `text` as whole words; both are plain. */
export function holdsWords(text: string, words: string): boolean {
  if (words === "") return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isWordUnit(text[at - 1]) && !isWordUnit(text[at + words.length])) return true;
  }
  return false;
}

function isWordUnit(unit: string | undefined): boolean {
  return unit !== undefined && /[\p{L}\p{N}_]/u.test(unit);
}
