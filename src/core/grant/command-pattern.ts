import type { Word } from "unbash";
import { fitsStars } from "./star-text.ts";
import { shellWords } from "./shell-words.ts";
import { undecidableProgram } from "./undecidable-programs.ts";

/** A word as it is, one with stars in it, or any one argument. */
type Part = { is: string } | { like: readonly string[] };
export type CommandPattern = { parts: readonly Part[]; rest: boolean };
export type Read<T> = { pattern: T } | { refused: string };

const REST = "...";

/**
 * `npm run *`: words of a command. `*` stands for one argument, or a part of one; `...` at the end for any number of them.
 * Neither is ever an option or a path out of the folder.
 */
export function readCommandPattern(text: string): Read<CommandPattern> {
  const read = shellWords(text, { stars: true });
  if ("undecided" in read) return { refused: read.undecided };
  const { raw } = read;
  const rest = raw.length > 1 && raw.at(-1)?.text === REST;
  const parts = (rest ? raw.slice(0, -1) : raw).map(partOf);
  const [first] = parts;
  if (!first || !("is" in first)) return { refused: "the program itself must be named" };
  const why = undecidableProgram(parts.map((part) => ("is" in part ? part.is : part.like.join("*"))));
  return why === undefined ? { pattern: { parts, rest } } : { refused: why };
}

/** As a pattern for exactly these words. */
export const exactPattern = (words: readonly string[]): string => words.map(quoted).join(" ");

/**
 * Do these words fit? `stays`: an argument names no path out of the folder. Contract: a literal part fits only itself; what a
 * star stands for is part of an argument that is no option, unless the pattern says so itself, and stays in the folder.
 */
export function fitsCommand(
  { parts, rest }: CommandPattern,
  words: readonly string[],
  stays: (argument: string) => boolean,
): boolean {
  if (words.length < parts.length || (!rest && words.length > parts.length)) return false;
  const isFree = (word: string) => word !== "" && !word.startsWith("-") && stays(word);
  return words.every((word, i) => {
    const part = parts[i];
    if (!part) return isFree(word);
    if ("is" in part) return part.is === word;
    const [head = ""] = part.like;
    return isLike(part.like, word) && (head.startsWith("-") ? stays(word.replace(/^-+/, "")) : isFree(word));
  });
}

function partOf({ value, parts = [] }: Word): Part {
  if (!parts.some(({ type }) => type === "Glob")) return { is: value };
  const like = [""];
  for (const part of parts) {
    if (part.type === "Glob") like.push("");
    else if (part.type === "DoubleQuoted") like[like.length - 1] += part.parts.map(valueOf).join("");
    else like[like.length - 1] += valueOf(part);
  }
  return { like };
}

const valueOf = (part: { type: string; value?: unknown }): string => (typeof part.value === "string" ? part.value : "");

/** `*` alone is one whole argument; else stars stand for any characters but a slash. */
function isLike(pieces: readonly string[], word: string): boolean {
  if (pieces.every((piece) => piece === "")) return true;
  const [wanted, found] = [pieces.join(STAR).split("/"), word.split("/")];
  return wanted.length === found.length && wanted.every((each, i) => fitsStars(each.split(STAR), found[i] ?? ""));
}

/** No command holds it. */
const STAR = "\0";

/** As a shell and `readCommandPattern` read it back: the same word. */
function quoted(word: string): string {
  const isPlain = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+=:,./-]*$/u.test(word) && word !== REST;
  return isPlain ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
