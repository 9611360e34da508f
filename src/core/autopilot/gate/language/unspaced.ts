import { type About, type Alarm, type Alarms, STAKE_OF } from "./alarm.ts";
import { bare, type Language, tokensOf } from "./language.ts";
import { isLoaned } from "./loaned.ts";
import { ACRONYMS, NAMES } from "./names.ts";

/** `alarms`: what stands anywhere in a text. */
export type UnspacedLanguage = Pick<Language, "code" | "name" | "script" | "leadsOn" | "pointing"> & {
  words: string;
  alarms: Partial<Record<About, string>>;
  doingNothing: string;
};

const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+|[\p{Script=Latin}\p{N}']+|[\p{L}\p{M}]+/gu;
const OWN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;

/** A language whose words cannot be told by spaces: a text is known where known words cover every character of it. */
export function unspacedLanguage(given: UnspacedLanguage): Language {
  const words = new Set(given.words.trim().split(/\s+/));
  const longest = Math.max(...[...words].map((word) => word.length));
  const signs = Object.entries(given.alarms).map(([name, list]) => ({
    about: name as About,
    sign: new RegExp(list.trim().split(/\s+/).join("|"), "u"),
  }));

  /** The characters that no way of cutting it into known words covers: none, or what is left from where it cannot go on. */
  function uncovered(run: string): string | undefined {
    const reached = new Uint8Array(run.length + 1);
    reached[0] = 1;
    let furthest = 0;
    for (let from = 0; from < run.length; from++) {
      if (!reached[from]) continue;
      for (let length = 1; length <= Math.min(longest, run.length - from); length++) {
        if (!words.has(run.slice(from, from + length))) continue;
        reached[from + length] = 1;
        furthest = Math.max(furthest, from + length);
      }
    }
    return reached[run.length] ? undefined : run.slice(furthest, furthest + 6);
  }

  const isKnownLatin = (token: string) =>
    /^\d{1,4}$/.test(token) || NAMES.has(token) || ACRONYMS.has(token) || /^[A-Z]$/.test(token) || isLoaned(token);
  const unknownIn = (text: string) =>
    (text.match(RUN) ?? []).flatMap((run) => {
      if (!OWN.test(run)) return tokensOf(run).every(isKnownLatin) ? [] : [run];
      const left = uncovered(run);
      return left === undefined ? [] : [left];
    });
  const alarmsIn = (text: string): Alarm[] =>
    signs.flatMap(({ about, sign }) => {
      const said = sign.exec(text)?.[0];
      const stake = STAKE_OF[about];
      return said === undefined ? [] : [{ about, ...(stake && { stake }), words: said }];
    });
  const alarms: Alarms = { in: (text) => alarmsIn(text), isAlarming: (word) => alarmsIn(word).length > 0 };
  return {
    code: given.code,
    name: given.name,
    script: given.script,
    leadsOn: given.leadsOn,
    ...(given.pointing && { pointing: given.pointing }),
    doingNothing: new Set(given.doingNothing.split(",").map((label) => bare(label.trim()))),
    alarms,
    wordsIn: (text) => bare(text).match(RUN) ?? [],
    unknownIn,
  };
}
