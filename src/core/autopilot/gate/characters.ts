export type Sign = "code" | "command" | "path" | "address" | "variable" | "hidden" | "character";

/** What ordinary English is written with; everything else is a sign of something that is not said in words. */
const ORDINARY = /[^A-Za-z0-9 \n?.,!'’"“”():;–—…-]/u;
const NAMED: readonly [Sign, string, RegExp][] = [
  // Nothing that a person does not see, or sees as another letter.
  [
    "hidden",
    "a character that is not seen, or looks like another",
    /[^\P{C}\n]|[\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u3000]|[\ufe00-\ufe0f]/u,
  ],
  ["code", "code", /[`{}<>[\]=|\\;]|\w\(/u],
  ["address", "an address", /:\/\/|\bwww\.|\w@\w|\b\w+\.(?:com|org|net|io|dev|app|de|co|ai|sh)\b/iu],
  ["variable", "a variable", /\$|%|\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b/u],
  ["path", "a path or a file", /[/~_]|\w\.\w|(?<![\w.])\.\w/u],
  ["command", "an option of a command", /(?<![\p{L}\p{N}])[-–—]+[\p{L}\p{N}]/u],
];
const CONFUSABLE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uff00-\uffef\u{1d400}-\u{1d7ff}\p{M}]/u;

/** The first sign in a text that it says something else than words; `\n` and tabs between lines are none. */
export function oddIn(text: string): { sign: Sign; what: string } | undefined {
  const shown = text.replace(/\r?\n|\t/g, "\n").replace(/(?<![\w-])snake_case(?![\w-])/gi, "snake case");
  if (CONFUSABLE.test(shown) && /[A-Za-z]/.test(shown))
    return { sign: "hidden", what: "a character that is not seen, or looks like another" };
  for (const [sign, what, pattern] of NAMED) if (pattern.test(shown)) return { sign, what };
  const odd = ORDINARY.exec(shown)?.[0];
  return odd === undefined ? undefined : { sign: "character", what: `"${odd}"` };
}

/** For what somebody reported: only what is not seen. */
export function hiddenIn(text: string): boolean {
  return /[^\P{C}\n\r\t]/u.test(text) || (CONFUSABLE.test(text) && /[A-Za-z]/.test(text));
}
