import type { Script } from "./language/language.ts";

export type Sign = "code" | "command" | "path" | "address" | "variable" | "hidden" | "character";

const UNSEEN = "a character that is not seen, or looks like another";
/** What sentences are written with besides letters; everything else is a sign of something that is not said in words. */
const MARKS = String.raw`0-9 \n?.,!'’"“”():;–—…+&/\-`;
const WESTERN = String.raw`¿¡«»„‚‘°`;
const EASTERN = String.raw`？！、。，：；（）「」『』“”・〜～…％　`;
const LETTERS: Record<Script, string> = {
  latin: String.raw`A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽž`,
  cyrillic: String.raw`А-Яа-яЁёA-Za-z`,
  han: String.raw`\p{Script=Han}A-Za-z`,
  japanese: String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々A-Za-z`,
  korean: String.raw`\p{Script=Hangul}\p{Script=Han}A-Za-z`,
};
const ORDINARY = Object.fromEntries(
  Object.entries(LETTERS).map(([script, letters]) => {
    const marks = script === "latin" || script === "cyrillic" ? WESTERN : EASTERN;
    return [script, new RegExp(`[^${letters}${MARKS}${marks}]`, "u")];
  }),
) as Record<Script, RegExp>;

const NAMED: readonly [Sign, string, RegExp][] = [
  // Nothing that a person does not see, or sees as another letter.
  [
    "hidden",
    UNSEEN,
    /[^\P{C}\n]|[\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f]|[\ufe00-\ufe0f\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\u{1d400}-\u{1d7ff}]|\p{M}/u,
  ],
  ["code", "code", /[`{}<>[\]=|\\]|;(?!\s|$)|\w\(/u],
  [
    "address",
    "an address",
    /:\/\/|\bwww\.|\w@\w|\b\w+\.(?:com|org|net|io|dev|app|de|co|ai|sh|cn|jp|kr|ru|fr|es|br)\b|\d+\.\d+\.\d+\.\d+/iu,
  ],
  ["variable", "a variable", /\$|%\w|\w%|\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b/u],
  ["path", "a path or a file", /[~_]|(?<![\p{L}\p{N}\s)])\/|\/(?![\p{L}\s])|\/[^\s/]*\/|\w\.\w|(?<![\w.])\.\w/u],
  ["command", "an option of a command", /(?<![\p{L}\p{N}])[-–—]+[\p{L}\p{N}]/u],
];
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /[\p{Script=Armenian}\p{Script=Cherokee}]/u,
];

/** The first sign in a text that it says something else than words; `\n` and tabs between lines are none. */
export function oddIn(text: string, script: Script): { sign: Sign; what: string } | undefined {
  const shown = text
    .normalize("NFC")
    .replace(/\r?\n|\t/g, "\n")
    // French puts such a space before these marks.
    .replace(/[\u00a0\u202f](?=[?!:;»])|(?<=«)[\u00a0\u202f]/g, " ")
    .replace(/(?<![\w-])snake_case(?![\w-])/gi, "snake case")
    .replace(/(?<![\w./-])(Next|Vue|Nuxt|Three|Chart|D3|Express|Alpine|Ember|Solid)\.js(?![\w./-])/g, "$1");
  if (hasMixedWord(shown) || (script === "latin" && hasTwins(shown))) return { sign: "hidden", what: UNSEEN };
  for (const [sign, what, pattern] of NAMED) if (pattern.test(shown)) return { sign, what };
  const odd = ORDINARY[script].exec(shown)?.[0];
  return odd === undefined ? undefined : { sign: "character", what: `"${odd}"` };
}

/** For what somebody reported: only what is not seen. */
export function hiddenIn(text: string): boolean {
  return (
    /[^\P{C}\n\r\t]/u.test(text) ||
    hasMixedWord(text) ||
    (/[\uff21-\uff5a\u{1d400}-\u{1d7ff}]/u.test(text) && /[A-Za-z]/.test(text))
  );
}

/** Letters of two alphabets that look alike, in one word. */
function hasMixedWord(text: string): boolean {
  if (/^[\x00-\x7f]*$/.test(text)) return false;
  return (text.match(/\p{L}+/gu) ?? []).some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1);
}

function hasTwins(text: string): boolean {
  return (
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(text) && /[A-Za-z]/.test(text)
  );
}
