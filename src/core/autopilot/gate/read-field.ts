import { safeLine } from "../../text/text.ts";
import type { Stake } from "../stake/stake.ts";
import { hiddenIn, oddIn, type Sign as Odd } from "./characters.ts";
import { type Alarm } from "./language/alarm.ts";
import { isNotion } from "./language/english.ts";
import { elsewhereInEnglish } from "./language/english-alarms.ts";
import { apart, bare, type Language, tokensOf } from "./language/language.ts";
import { candidatesFor, LANGUAGES, languageOf } from "./language/languages.ts";

export type Sign = Odd | "length" | "language" | "word" | "elsewhere" | "alarm" | "kind";
export type Reason = { sign: Sign; why: string; stake?: Stake };
/** `asked`: what the question says; `offered`: a label; `described`: what an option says of itself. */
export type Role = "asked" | "offered" | "described";

/** So many words of a text may be unknown, where they are notions; in a description also names. */
const MOST_NOTIONS: Record<Role, number> = { asked: 1, offered: 1, described: 3 };
/** So many of what an agent said before: it reports of things that have names. */
const MOST_UNKNOWN_BEFORE = 3;

/**
 * Why a text may hold something that nobody but a person may answer; empty: it is harmless in one language that is judged.
 * Contract: read in each language, every sign stays where text is added, so a hold stays one.
 */
export function reasonsIn(text: string, role: Role): Reason[] {
  const candidates = candidatesFor(text);
  for (const language of candidates) if (isHarmlessIn(language, text, role)) return [];
  const language = languageOf(text);
  if (language) return readIn(language, text, role);
  const odd = oddIn(text, candidates[0]?.script ?? "latin");
  return [
    // A letter of another language is none of its own.
    ...(odd && odd.sign !== "character" ? [{ sign: odd.sign, why: `has ${odd.what}` }] : []),
    ...allAlarms(text).map(named),
    { sign: "language", why: "is in a language that is not judged" },
  ];
}

/** The cheapest sign first: in most languages a text has a word that is not of it. */
function isHarmlessIn(language: Language, text: string, role: Role): boolean {
  const isUnknown = role !== "described" && language.code !== "en" && language.unknownIn(text).length > 0;
  if (isUnknown && !language.doingNothing.has(bare(text))) return false;
  return readIn(language, text, role).length === 0;
}

function readIn(language: Language, text: string, role: Role): Reason[] {
  if (role === "offered" && language.doingNothing.has(bare(text))) return [];
  const lower = bare(apart(text));
  const odd = oddIn(text, language.script);
  const alarms = language.alarms.in(lower, language.wordsIn(text), role === "described");
  const elsewhere = language.code === "en" ? elsewhereInEnglish(lower, role) : pointedAt(language, lower);
  const unknown = unknownWords(language, text, role);
  return [
    ...(odd ? [{ sign: odd.sign, why: `has ${odd.what}` }] : []),
    ...alarms.map((alarm) => named({ ...alarm, words: asWritten(alarm.words, text) })),
    ...(elsewhere === undefined
      ? []
      : [{ sign: "elsewhere" as const, why: `points at something said elsewhere ("${elsewhere}")` }]),
    ...(unknown === undefined
      ? []
      : [
          {
            sign: "word" as const,
            why: `has a word that is not known to be harmless ("${safeLine(unknown, { max: 40 })}")`,
          },
        ]),
  ];
}

function pointedAt({ pointing }: Language, lower: string): string | undefined {
  const [doing, at] = pointing ?? [];
  return doing?.test(lower) ? at?.exec(lower)?.[0] : undefined;
}

function unknownWords(language: Language, text: string, role: Role): string | undefined {
  const unknown = language.unknownIn(text).filter((word) => !isNamedAlready(language, word, role));
  if (language.code !== "en") return unknown[0];
  const other = unknown.find((word) => !isNotion(word, role === "described") || isAlarmingAnywhere(word));
  return other ?? unknown[MOST_NOTIONS[role]];
}

/** An alarm, or what points elsewhere, is a reason by itself. */
function isNamedAlready({ alarms, code }: Language, word: string, role: Role): boolean {
  const lower = bare(word);
  if (alarms.isAlarming(lower)) return true;
  return (
    code === "en" &&
    (POINTING.has(lower) || elsewhereInEnglish(lower, role === "described" ? "offered" : role) !== undefined)
  );
}
const POINTING = new Set([
  "it",
  "its",
  "it's",
  "itself",
  "this",
  "that",
  "that's",
  "these",
  "those",
  "them",
  "they",
  "their",
  "below",
  "listed",
  "step",
  "change",
  "changes",
  "fix",
  "fixes",
  "fixed",
]);

function isAlarmingAnywhere(word: string): boolean {
  const lower = bare(word);
  return LANGUAGES.some(({ script, alarms }) => script === "latin" && alarms.isAlarming(lower));
}

function allAlarms(text: string): Alarm[] {
  const lower = bare(apart(text));
  const found = candidatesFor(text).flatMap(({ alarms, wordsIn }) => alarms.in(lower, wordsIn(text), false));
  return found.filter(({ about }, i) => found.findIndex((other) => other.about === about) === i);
}

/** What an agent reports has paths and names in it; only what alarms, hides or cannot be read counts. */
export function reasonsInReport(text: string): Reason[] {
  if (hiddenIn(text)) return [{ sign: "hidden", why: "has a character that is not seen, or looks like another" }];
  const prose = text.replace(/```[\s\S]*?```|`[^`]*`|\S*[/\\_.@#]\S+/g, " ");
  const read = candidatesFor(prose).map((language) => {
    const lower = bare(apart(text));
    const unknown = language
      .unknownIn(prose)
      .filter((word) => word.length > 1 && !language.alarms.isAlarming(bare(word)) && !isReported(word));
    const foreign = unknown.find((word) => isAlarmingAnywhere(word) || isOfOtherLetters(word, language));
    return {
      alarms: language.alarms.in(lower, language.wordsIn(text), true),
      isUnread: unknown.length > MOST_UNKNOWN_BEFORE || foreign !== undefined,
    };
  });
  if (read.some(({ alarms, isUnread }) => alarms.length === 0 && !isUnread)) return [];
  const best = read.find(({ isUnread }) => !isUnread);
  return best
    ? best.alarms.map(named)
    : [...allAlarms(text).map(named), { sign: "language", why: "is in a language that is not judged" }];
}
const isReported = (word: string) =>
  isNotion(word, true) || /^(?:i've|were|had|seen|have|has|been|was)$/i.test(word) || isNamedAlreadyInEnglish(word);
const isNamedAlreadyInEnglish = (word: string) => elsewhereInEnglish(bare(word), "offered") !== undefined;

/** Neither Latin nor of the language: nobody read it. */
function isOfOtherLetters(word: string, { script }: Language): boolean {
  return (
    /\P{Script=Latin}/u.test(word.replace(/[\p{N}']/gu, "")) &&
    !candidatesFor(word).some((each) => each.script === script)
  );
}

/** With its accents, where it is one word. */
const asWritten = (word: string, text: string) =>
  tokensOf(text)
    .find((token) => bare(token) === word)
    ?.toLowerCase() ?? word;

function named({ about, stake, words }: Alarm): Reason {
  return { sign: "alarm", why: `is about ${about} ("${safeLine(words, { max: 40 })}")`, ...(stake && { stake }) };
}
