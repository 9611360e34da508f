import { ENGLISH_ALARMS } from "./english-alarms.ts";
import { NOUNS } from "./english-nouns.ts";
import { MORE_WORDS } from "./english-more-words.ts";
import { WORDS } from "./english-words.ts";
import { bare, type Language, tokensOf } from "./language.ts";
import { remembering } from "./remembering.ts";
import { ACRONYMS, NAMES } from "./names.ts";

export const ENGLISH: Language = {
  code: "en",
  name: "English",
  script: "latin",
  leadsOn:
    /(?<![a-z])(?:yes|yep|yeah|ok|okay|sure|continue|proceed|go|going|ahead|start|begin|ready|next|carry|keep|confirm|accept|done|good|great|fine|right|correct|agree|perfect)/,
  doingNothing: new Set([
    "cancel",
    "skip",
    "stop",
    "not now",
    "leave it",
    "no, stop",
    "no, skip",
    "something else",
    "you decide",
    "skip for now",
    "leave as is",
    "keep as is",
  ]),
  alarms: ENGLISH_ALARMS,
  // REST rests nowhere.
  wordsIn: (text) => tokensOf(text.replace(/(?<!\p{L})REST(?!\p{L})/gu, "http")).map(bare),
  unknownIn: (text) => tokensOf(text).filter((token) => !isKnown(token)),
};

const isKnown = remembering((token: string): boolean => {
  const word = token.replace(/^'+|'+$/g, "");
  if (word === "" || /^\d{1,4}(?:st|nd|rd|th|px|ms|s|h|d|x|x\d{1,4})?$/.test(word) || NAMES.has(word)) return true;
  // PATH is no path, and camelCase no word.
  if (/[A-Z]{2}|[a-z][A-Z]/.test(word)) return ACRONYMS.has(word);
  if (/^[A-Z]$/.test(word)) return true;
  const lower = word.toLowerCase();
  return isBase(lower) || basesOf(lower).some(isBase);
});

const isBase = (word: string) => WORDS.has(word) || MORE_WORDS.has(word) || NOUNS.has(word);

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

/** Learned words that are the names of qualities and notions; what they could risk is among the alarms. */
const NOTION =
  /^[a-z]{3,}(?:tions?|sions?|ity|ities|ness|ments?|able|ible|less|ful|ical|ally|ive|ous|ism|ology|graphy|graphic|esque|wise|metric)$/;

/** Whether a word that is not known may stand in a text all the same: a notion, or where `orName` the name of a thing. */
export function isNotion(token: string, orName: boolean): boolean {
  return NOTION.test(token.toLowerCase()) || (orName && /^(?:[A-Z][a-z]+){1,3}\d*$/.test(token));
}
