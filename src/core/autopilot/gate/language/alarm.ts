import type { Stake } from "../../stake/stake.ts";
import { lazy, remembering } from "./remembering.ts";

/** What a text names that lies outside the work tree, or cannot be had back. `stake`: what a rule must name to be let through. */
export type Alarm = { about: About; stake?: Stake; words: string };
export type About =
  | "destroying or replacing"
  | "going out to others"
  | "the machine and what runs on it"
  | "guards and autonomy"
  | "secrets and accounts"
  | "cost and models";

/**
 * A stem stands at the beginning of a word, a whole word alone, a phrase anywhere; all in lower case and without accents.
 * `pairs`: words of the one list together with words of the other, in whatever order; with a * at its end a beginning.
 * `soft`: alarming in what is asked and offered; in the description of an option it is an everyday word.
 */
export type Group = {
  stems?: string;
  whole?: string;
  softStems?: string;
  softWhole?: string;
  phrases?: readonly RegExp[];
  pairs?: readonly (readonly [string, string])[];
};
export type Groups = Partial<Record<About, Group>>;

export const STAKE_OF: Partial<Record<About, Stake>> = {
  "destroying or replacing": "destructive",
  "going out to others": "publishing",
  "guards and autonomy": "permission",
  "secrets and accounts": "secrets",
  "cost and models": "money",
};

export type Alarms = {
  /** One of each kind. `words` are those of `text`, both in lower case. */
  in(text: string, words: readonly string[], isDescription: boolean): Alarm[];
  isAlarming(word: string): boolean;
};

type Mark = { about: About; isSoft: boolean; isWhole: boolean };
const LONGEST_STEM = 16;

/** `cleared`: words that begin like an alarm and are none. Its tables are made when it is first asked: most starts never do. */
export function createAlarms(groups: Groups, cleared: ReadonlySet<string> = new Set()): Alarms {
  const alarms = lazy(() => tabledAlarms(groups, cleared));
  return {
    in: (text, words, isDescription) => alarms().in(text, words, isDescription),
    isAlarming: (word) => alarms().isAlarming(word),
  };
}

function tabledAlarms(groups: Groups, cleared: ReadonlySet<string>): Alarms {
  const marks = new Map<string, Mark>();
  const phrases: { about: About; sign: RegExp }[] = [];
  const pairs: { about: About; one: RegExp; other: RegExp }[] = [];
  for (const [name, group] of Object.entries(groups)) {
    const about = name as About;
    const put = (list: string | undefined, isSoft: boolean, isWhole: boolean) => {
      for (const word of (list ?? "").split(/\s+/)) if (word !== "") marks.set(word, { about, isSoft, isWhole });
    };
    put(group.softStems, true, false);
    put(group.softWhole, true, true);
    put(group.stems, false, false);
    put(group.whole, false, true);
    for (const sign of group.phrases ?? []) phrases.push({ about, sign });
    for (const [one, other] of group.pairs ?? []) pairs.push({ about, one: listed(one), other: listed(other) });
  }

  /** What the word begins with, or is; of a word put together from two, only what reaches over the seam. */
  function markOf(word: string, isDescription: boolean, seam = 0): Mark | undefined {
    if (cleared.has(word)) return undefined;
    for (let length = Math.max(2, seam + 1); length <= Math.min(word.length, LONGEST_STEM); length++) {
      const mark = marks.get(word.slice(0, length));
      if (mark && (!mark.isWhole || length === word.length) && !(mark.isSoft && isDescription)) return mark;
    }
    return undefined;
  }

  /** What a stem could go on from: only after such a word can two together be an alarm. */
  const openings = new Set([...marks.keys()].flatMap((stem) => Array.from(stem, (_, i) => stem.slice(0, i))));
  const inText = remembering((word) => markOf(word, false));
  const inDescription = remembering((word) => markOf(word, true));

  return {
    isAlarming: (word) => inText(word) !== undefined,
    in(text, words, isDescription) {
      const found = new Map<About, string>();
      const note = (about: About, said: string) => {
        if (!found.has(about)) found.set(about, said);
      };
      words.forEach((word, i) => {
        const mark = isDescription ? inDescription(word) : inText(word);
        if (mark) note(mark.about, word);
        // "up date" is an update.
        const next = words[i + 1];
        const joined =
          next === undefined || !openings.has(word) ? undefined : markOf(word + next, isDescription, word.length);
        if (joined) note(joined.about, `${word} ${next}`);
      });
      for (const { about, sign } of phrases) {
        const said = sign.exec(text)?.[0];
        if (said !== undefined) note(about, said);
      }
      for (const { about, one, other } of pairs) {
        const first = found.has(about) ? undefined : one.exec(text)?.[0];
        const second = first === undefined ? undefined : other.exec(text)?.[0];
        if (second !== undefined) note(about, `${first} … ${second}`);
      }
      return [...found].map(([about, said]) => {
        const stake = STAKE_OF[about];
        return { about, ...(stake && { stake }), words: said };
      });
    },
  };
}

function listed(words: string): RegExp {
  const all = words
    .trim()
    .split(/\s+/)
    .map((word) => (word.endsWith("*") ? `${word.slice(0, -1)}[a-z]*` : word));
  return new RegExp(`(?<![a-z'])(?:${all.join("|")})(?![a-z'])`);
}
