import { elsewhereIn, isAlarming } from "./alarms.ts";
import { ACRONYMS, NAMES, WORDS } from "./words.ts";

/** Of a sentence that somebody said: fewer of its words are known, and it is another language or no sentence at all. */
const FEWEST_KNOWN = 0.5;

/** The first word that is neither known to be harmless English nor an alarm; undefined: there is none. */
export function unknownIn(text: string): string | undefined {
  return wordsIn(text).find(
    (word) => !isKnown(word) && !isAlarming(word.toLowerCase()) && !elsewhereIn(word.toLowerCase()),
  );
}

/** Whether each sentence by itself is mostly English. Names of things in code are passed over. */
export function isEnglish(text: string): boolean {
  const prose = text.replace(/```[\s\S]*?```|`[^`]*`|\S*[/\\_.@#]\S+/g, " ");
  return prose.split(/[.!?:;\n]+/).every((sentence) => {
    const words = wordsIn(sentence).filter((word) => word.length > 1);
    return words.filter((word) => isKnown(word, true)).length >= words.length * FEWEST_KNOWN;
  });
}

const wordsIn = (text: string) => text.replaceAll("’", "'").match(/[\p{L}\p{N}']+/gu) ?? [];

/** `isLoose`: a sentence that reports may have words that a question may not. */
function isKnown(word: string, isLoose = false): boolean {
  const bare = word.replace(/^'+|'+$/g, "");
  if (bare === "" || /^\d{1,4}$/.test(bare) || NAMES.has(bare)) return true;
  // PATH is no path, and camelCase no word.
  if (/[A-Z]{2}|[a-z][A-Z]/.test(bare)) return ACRONYMS.has(bare);
  if (/^[A-Z]$/.test(bare)) return true;
  const lower = bare.toLowerCase();
  if (isLoose && (REPORTED.has(lower) || isAlarming(lower) || elsewhereIn(lower) !== undefined)) return true;
  return WORDS.has(lower) || basesOf(lower).some((base) => WORDS.has(base));
}

const REPORTED = new Set(["i've", "were", "had", "seen"]);

const ENDINGS: readonly [string, readonly string[]][] = [
  ["'s", [""]],
  ["s'", ["", "s"]],
  ["ies", ["y"]],
  ["es", ["", "e"]],
  ["s", [""]],
  ["ied", ["y"]],
  ["ed", ["", "e"]],
  ["ing", ["", "e"]],
  ["ly", [""]],
];

function basesOf(word: string): string[] {
  return ENDINGS.flatMap(([ending, instead]) => {
    const stem = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || stem.length < 2) return [];
    const doubled = /([bdgmnprt])\1$/.test(stem) ? [stem.slice(0, -1)] : [];
    return [...instead.map((end) => stem + end), ...doubled];
  });
}
