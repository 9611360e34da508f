import { ACRONYMS, NAMES } from "./names.ts";
import { createAlarms, type Groups } from "./alarm.ts";
import { bare, type Language, set, tokensOf } from "./language.ts";
import { lazy, remembering } from "./remembering.ts";
import { isLoaned } from "./loaned.ts";
import { LOANED_ALARMS } from "./loaned-alarms.ts";

/**
 * `words`: a word as it is, or with a * at its end one that takes `endings`. `elided`: what stands before an apostrophe.
 * `hasCompounds`: two known words in one are known.
 */
export type SpacedLanguage = Pick<Language, "code" | "name" | "script" | "leadsOn" | "pointing"> & {
  words: string;
  endings: string;
  alarms: Groups;
  doingNothing: string;
  elided?: string;
  hasCompounds?: true;
};

const SHORTEST_PART = 4;

/** A language that writes its words apart. */
export function spacedLanguage(given: SpacedLanguage): Language {
  const vocabulary = lazy(() => {
    const all = given.words.trim().split(/\s+/).map(bare);
    const words = new Set(all.filter((word) => !word.endsWith("*")));
    const stems = new Set(all.flatMap((word) => (word.endsWith("*") ? [word.slice(0, -1)] : [])));
    return { words, stems, endings: ["", ...set(given.endings)].map(bare) };
  });
  const elided = set(given.elided ?? "");
  const alarms = createAlarms(withLoaned(given.alarms));

  const isWord = (word: string) => {
    const { words, stems, endings } = vocabulary();
    return (
      words.has(word) ||
      endings.some((ending) => word.endsWith(ending) && stems.has(word.slice(0, word.length - ending.length)))
    );
  };
  const isCompound = (word: string) => {
    for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
      const [head, tail] = [word.slice(0, at), word.slice(at)];
      if (isWord(tail) && (isWord(head) || (head.endsWith("s") && isWord(head.slice(0, -1))))) return true;
    }
    return false;
  };
  const isKnown = remembering((token: string): boolean => {
    if (/^\d{1,4}$/.test(token) || NAMES.has(token) || ACRONYMS.has(token)) return true;
    if (/\p{Lu}{2}|\p{Ll}\p{Lu}/u.test(token)) return false;
    const word = bare(token);
    if (isWord(word) || isLoaned(word)) return true;
    const [first = "", ...rest] = word.split("'");
    if (rest.length > 0) return elided.has(first) && rest.every((part) => isWord(part) || isLoaned(part));
    return given.hasCompounds === true && isCompound(word);
  });
  return {
    code: given.code,
    name: given.name,
    script: given.script,
    leadsOn: given.leadsOn,
    ...(given.pointing && { pointing: given.pointing }),
    doingNothing: new Set(given.doingNothing.split(",").map((label) => bare(label.trim()))),
    alarms,
    wordsIn: (text) => tokensOf(text).map(bare),
    unknownIn: (text) => tokensOf(text).filter((token) => !isKnown(token)),
  };
}

/** "deployen", "pushear": the words of the trade are the same everywhere. */
export function withLoaned(groups: Groups): Groups {
  const merged: Groups = { ...LOANED_ALARMS };
  for (const [name, group] of Object.entries(groups)) {
    const about = name as keyof Groups;
    const loaned = LOANED_ALARMS[about];
    merged[about] = {
      ...group,
      stems: `${group.stems ?? ""} ${loaned?.stems ?? ""}`,
      whole: `${group.whole ?? ""} ${loaned?.whole ?? ""}`,
    };
  }
  return merged;
}
