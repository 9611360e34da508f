import { CHINESE } from "./chinese.ts";
import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { JAPANESE } from "./japanese.ts";
import { KOREAN } from "./korean.ts";
import type { Language, Script } from "./language.ts";
import { PORTUGUESE } from "./portuguese.ts";
import { RUSSIAN } from "./russian.ts";
import { SPANISH } from "./spanish.ts";

/** What the gate can judge. One more is one more file of words. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  GERMAN,
  SPANISH,
  FRENCH,
  PORTUGUESE,
  RUSSIAN,
  CHINESE,
  JAPANESE,
  KOREAN,
];

const LETTERS: readonly [RegExp, readonly Script[]][] = [
  [/\p{Script=Hangul}/u, ["korean"]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["japanese"]],
  [/\p{Script=Han}/u, ["han", "japanese"]],
  [/\p{Script=Cyrillic}/u, ["cyrillic"]],
];

/** Those it can be in, by its letters; the one that is asked most first. */
export function candidatesFor(text: string): readonly Language[] {
  if (/^[\x00-\x7f]*$/.test(text)) return LATIN;
  const scripts = LETTERS.find(([letters]) => letters.test(text))?.[1];
  return scripts ? LANGUAGES.filter(({ script }) => scripts.includes(script)) : LATIN;
}
const LATIN = LANGUAGES.filter(({ script }) => script === "latin");

/** Of the words of a text, so many must be known, or alarms, for it to be in a language. */
const SHARE = 0.5;

/** With so many, no other language has more. */
const PLENTY = 0.8;

/** The language most of its words are of; undefined: none that is judged. */
export function languageOf(text: string): Language | undefined {
  let best: { language: Language; share: number } | undefined;
  for (const language of candidatesFor(text)) {
    const share = shareOf(language, text);
    if (!best || share > best.share) best = { language, share };
    if (best.share > PLENTY) break;
  }
  return best && best.share >= SHARE ? best.language : undefined;
}

/** Who writes no spaces is known by the letters alone. */
const BY_LETTERS = 0.6;

function shareOf({ script, wordsIn, unknownIn, alarms }: Language, text: string): number {
  if (script !== "latin" && script !== "cyrillic") return unknownIn(text).length === 0 ? 1 : BY_LETTERS;
  const unknown = unknownIn(text).filter((word) => !alarms.isAlarming(word.toLowerCase()));
  const count = wordsIn(text).length;
  return count === 0 ? 1 : 1 - Math.min(count, unknown.length) / count;
}
