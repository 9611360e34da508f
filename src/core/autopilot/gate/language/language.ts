import type { Alarms } from "./alarm.ts";
import { ACRONYMS, NAMES } from "./names.ts";

/** A language in which the gate can tell what is harmless. All of it is data: words, alarms, what goes on with something. */
export type Language = {
  code: string;
  name: string;
  script: Script;
  /** Every word of a text that is not known to be harmless, in order; alarms are among them. */
  unknownIn(text: string): string[];
  /** Words, or what stands for them, in lower case and without accents. */
  wordsIn(text: string): string[];
  alarms: Alarms;
  /** What says "go on": then what it goes on with was said before. */
  leadsOn: RegExp;
  /** Words to do something, and words for something said elsewhere: both together ask for what nobody sees here. */
  pointing?: readonly [doing: RegExp, at: RegExp];
  /** As a whole label they do nothing; in a sentence they may do much. */
  doingNothing: ReadonlySet<string>;
};
export type Script = "latin" | "cyrillic" | "han" | "japanese" | "korean";

export const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Lower case, no accents: people leave them out. */
export function bare(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  const lower = text.normalize("NFC").replaceAll("’", "'").toLowerCase();
  // й and ё are letters of their own in Russian; only ё is often written е.
  return lower
    .replace(/[^\x00-\x7f\u0400-\u04ff\u3040-\uffff]/gu, (letter) => letter.normalize("NFD").replace(/\p{M}/gu, ""))
    .replaceAll("ё", "е");
}

const WORD = /[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu;
/** As they are written; a name put together in code is its words, unless it is a name we know. */
export function tokensOf(text: string): readonly string[] {
  if (text !== latest.text) latest = { text, tokens: cut(text) };
  return latest.tokens;
}
/** Every language cuts the same text. */
let latest: { text: string; tokens: readonly string[] } = { text: "", tokens: [] };

function cut(text: string): string[] {
  const tokens = text.replaceAll("’", "'").match(WORD) ?? [];
  if (!tokens.some(isPutTogether)) return tokens;
  return tokens.flatMap((token) => (isPutTogether(token) ? token.split(/(?<=\p{Ll})(?=\p{Lu})/u) : [token]));
}

/** The text with such names as their words, for what is looked for across words. */
export const apart = (text: string): string =>
  /\p{Ll}\p{Lu}/u.test(text)
    ? text.replaceAll(WORD, (token) =>
        isPutTogether(token) ? token.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ") : token,
      )
    : text;

const isPutTogether = (token: string) => /\p{Ll}\p{Lu}/u.test(token) && !NAMES.has(token) && !ACRONYMS.has(token);
