import type { Word } from "unbash";
import { fitsStars } from "./star-text.ts";
import { shellWords } from "./shell-words.ts";
import { readsPrograms, undecidableProgram } from "./undecidable-programs.ts";

/** A word as it is, one with stars in it, or any one argument. */
export type Part = { is: string } | { like: readonly string[] };
export type CommandPattern = { parts: readonly Part[]; rest: boolean };
export type Read<T> = { pattern: T } | { refused: string };

const REST = "...";

/**
 * `npm run *`: words of a command. `*` stands for one argument, or a part of one; `...` at the end for any number of them.
 * Neither is ever an option or a path out of the folder, and both are plain names: letters, digits, `_ . , % -` and `/`, no
 * hidden ones.
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

/** Why nobody may give it as a grant: with its stars it could be more than a person reads in it. */
export function whyTooOpen({ parts, rest }: CommandPattern): string | undefined {
  const [first] = parts;
  const isOpen = rest || parts.some((part) => "like" in part);
  if (isOpen && first && "is" in first && readsPrograms(first.is))
    return `an argument of “${first.is}” may be a program or another place: name each word`;
  const isOption = (part: Part) => {
    const head = "like" in part ? (part.like[0] ?? "") : "";
    return head.startsWith("-") && !/^--[a-z][\w-]*=/i.test(head);
  };
  return parts.some(isOption) ? "a star is no option: write the option out, as in --name=*" : undefined;
}

/** Without any bounds, for what must be asked about: an argument that a part of a pattern may mean. */
export const maybeMeans = (part: Part, word: string): boolean =>
  "is" in part ? part.is === word : fitsStars(part.like, word);

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
  const isFree = (word: string) => PLAIN_PATH.test(word) && stays(word);
  return words.every((word, i) => {
    const part = parts[i];
    if (!part) return isFree(word);
    if ("is" in part) return part.is === word;
    if (part.like.every((piece) => piece === "")) return isFree(word);
    const value = part.like[0]?.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
    return isLike(part.like, word) && !value.startsWith("-") && stays(value);
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

/** Names below the folder, of which no program makes anything else: not hidden, no option, no address. */
const PLAIN_PATH = /^(?:\.\/)?[\p{L}\p{N}_][\p{L}\p{N}_.,%-]*(?:\/[\p{L}\p{N}_][\p{L}\p{N}_.,%-]*)*\/?$/u;

const oddIn = (text: string): number => text.match(/[^\p{L}\p{N}_.,%-]/gu)?.length ?? 0;

/** Stars stand for plain characters, none of them a slash; a name that begins with one is not hidden. */
function isLike(pieces: readonly string[], word: string): boolean {
  const [wanted, found] = [pieces.join(STAR).split("/"), word.split("/")];
  if (wanted.length !== found.length) return false;
  return wanted.every((each, i) => {
    const [text, parts] = [found[i] ?? "", each.split(STAR)];
    if (parts.length > 1 && parts[0] === "" && /^[.-]/.test(text)) return false;
    // Whatever is no plain character must stand in the pattern itself.
    const isPlain = oddIn(text) <= oddIn(parts.join(""));
    return isPlain && fitsStars(parts, text);
  });
}

/** No command holds it. */
const STAR = "\0";

/** As a shell and `readCommandPattern` read it back: the same word. */
function quoted(word: string): string {
  const isPlain = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+=:,./-]*$/u.test(word) && word !== REST;
  return isPlain ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
