import { type CommandArgument, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from "unbash";
import type { ToolCall } from "../ask/tool-call.ts";
import { type CommandPattern, maybeMeans, type Read, readCommandPattern } from "./command-pattern.ts";
import type { GrantPattern } from "./grant.ts";
import { isFile, MESSAGE, namesFile, namesHost, type NamingPlace, readHost, topsFor } from "./must-ask-names.ts";
import { readPathPattern } from "./path-pattern.ts";
import { staticValue } from "./shell-words.ts";
import { feedsOthers, programName, readsScript, runsOthers, saysOnly, startsNothing } from "./undecidable-programs.ts";

type Matches = (call: ToolCall, place: NamingPlace) => boolean;
const DEEPEST = 5;
/** Nobody reads more before allowing it, and no more is read here. */
const LONGEST = 64 * 1024;
const MOST_WORDS = 200;

/** `git push ...`, `write .github/**`, `read .env`, `fetch example.com`: the first word says which, else it is a command. */
export function mustAskPattern(text: string): GrantPattern {
  const [, type, rest] = /^(write|read|fetch) +(.+)$/s.exec(text.trim()) ?? [];
  if (type !== undefined && rest !== undefined) return { type: type as GrantPattern["type"], text: rest };
  return { type: "command", text: text.trim().replace(/^\$ +/, "") };
}

/**
 * A pattern of what must be asked about. Contract: the other way round than a grant: what cannot be told is asked about, and a
 * command counts wherever it stands, in a pipeline, behind `&&`, inside a substitution, behind `sudo`, `npx` or in `bash -c`. A
 * file or host counts in a command too that names it.
 */
export function readMustAsk(text: string): Read<Matches> {
  const pattern = mustAskPattern(text);
  if (pattern.type === "command") {
    const read = readCommandPattern(pattern.text);
    if ("refused" in read) return read;
    return { pattern: (call) => call.type === "command" && holds(read.pattern, call.command, 0) };
  }
  if (pattern.type === "fetch") {
    const read = readHost(pattern.text);
    if ("refused" in read) return read;
    const isHost = read.pattern;
    return {
      pattern(call) {
        if (call.type === "command") return call.command.length > LONGEST || namesHost(isHost, call.command);
        return call.type === "fetch" && isHost(call.url);
      },
    };
  }
  const read = readPathPattern(pattern.text);
  if ("refused" in read) return read;
  return {
    pattern(call, place) {
      if (call.type === "command") return call.command.length > LONGEST || namesFile(read.pattern, call.command, place);
      if (call.type !== pattern.type || typeof call["path"] !== "string") return false;
      const path = call["path"];
      const found = place.real(path.startsWith("/") ? path : `${place.cwd}/${path}`);
      if (found === undefined) return true;
      return topsFor(found, place).some(
        (top) => found.startsWith(`${top}/`) && isFile(read.pattern, found.slice(top.length + 1)),
      );
    },
  };
}

/** In any command of it, as far as it can be read; what cannot is taken for it. */
function holds(pattern: CommandPattern, command: string, depth: number): boolean {
  if (depth > DEEPEST || command.length > LONGEST) return true;
  const script = parse(command);
  if (script.errors && script.errors.length > 0) return true;
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (found) return;
    if ("errors" in node && Array.isArray(node.errors) && node.errors.length > 0) found = true;
    // A variable may be a program for whatever is run with it.
    if (node.type === "Assignment") found ||= mentions(pattern, node.text);
    if (node.type === "Command" && node.name) {
      const args = node.args.map(valueOf);
      found ||= isIt(pattern, staticValue(node.name), args, depth) || isFed(pattern, node.name, node.redirects);
    }
    forEachChild(node, visit);
  };
  visit(script);
  return found;
}

type Value = string | undefined;
/** Where `find` puts a name. */
const FILE = "{}";

function valueOf(arg: CommandArgument): Value {
  if (arg.type === "Word") return arg.text === FILE ? FILE : staticValue(arg);
  // `alias ll='ls -l'`, `export A=b`
  const value = arg.value.type === "Word" && !arg.index ? staticValue(arg.value) : undefined;
  return value === undefined ? undefined : `${arg.name}=${value}`;
}

function isIt(pattern: CommandPattern, program: Value, values: readonly Value[], depth: number): boolean {
  if (program === undefined) return true;
  const isKnown = values.every((value) => value !== undefined);
  const wanted = wantedBy(pattern);
  const name = programName(program);
  // A name that is given on the way may mean anything.
  if (name === wanted)
    return (
      !isKnown || values.some((value) => value.startsWith("alias.")) || fits(pattern, values) || isSaid(pattern, values)
    );
  if (name === "alias" || name === "hash") return !isKnown || values.some((value) => isNamed(pattern, value, depth));
  if (name === "find")
    return isLed(pattern, values) || sentBy(values).some(([first, ...rest]) => isIt(pattern, first, rest, depth + 1));
  if (runsOthers(program)) {
    if (!isKnown || values.length > MOST_WORDS || readsScript(program, values)) return true;
    // What it runs is in its words, or in one of them.
    return values.some((_, i) => isBehind(pattern, values.slice(i), { depth, isFed: feedsOthers(program) }));
  }
  if (saysOnly(program) || startsNothing(program)) return false;
  // Whatever program it is, it may run its words: `npx`, `uv run`, `git rebase -x`.
  return isLed(pattern, values) || isSaid(pattern, values);
}

const wantedBy = ({ parts: [first] }: CommandPattern) => (first && "is" in first ? programName(first.is) : "");

type Behind = { depth: number; isFed: boolean };
function isBehind(pattern: CommandPattern, words: readonly string[], { depth, isFed }: Behind): boolean {
  const [first = "", ...rest] = words;
  // More words come from its input.
  if (programName(first) === wantedBy(pattern) && (isFed || fits(pattern, rest))) return true;
  if (!/[\s;&|$`\\{"'<>]/.test(first)) return false;
  // Also behind an option that it touches: `-S'git push'`; and with what follows, as `eval` reads it.
  return [first, first.replace(/^-+\w/, ""), words.join(" ")].some((text) => holds(pattern, text, depth + 1));
}

/** Its words behind others that are none of its own. */
function isLed(pattern: CommandPattern, values: readonly Value[]): boolean {
  const wanted = wantedBy(pattern);
  return values.some((value, i) => {
    if (value === undefined || programName(value) !== wanted) return false;
    const rest = values.slice(i + 1);
    if (rest.length === 0 && pattern.parts.length === 1) return false;
    return rest.includes(undefined) || fits(pattern, rest as string[]);
  });
}

/** A word with a text in it that is the command, unless it is a message. */
const isSaid = (pattern: CommandPattern, values: readonly Value[]): boolean =>
  values.some((value = "", i) => {
    const isMessage =
      MESSAGE.test(values[i - 1] ?? "") || MESSAGE.test(value.slice(0, Math.max(0, value.indexOf("="))));
    return !isMessage && /\W/.test(value) && mentions(pattern, value);
  });

/** What it reads as its input. */
function isFed(pattern: CommandPattern, name: Word, redirects: readonly Redirection[]): boolean {
  const program = staticValue(name) ?? "";
  if (saysOnly(program) || ["cat", "tee"].includes(programName(program))) return false;
  return redirects.some((each) => {
    if (each.type === "HereDoc") return mentions(pattern, each.body.text);
    return each.type === "HereString" && mentions(pattern, each.target?.text ?? "");
  });
}

/** The words that are the same in every such command, in their order, whatever stands between them. */
function mentions({ parts }: CommandPattern, text: string): boolean {
  let at = 0;
  return parts.every((part, i) => {
    if (!("is" in part)) return true;
    const word = (i === 0 ? programName(part.is) : part.is).replace(/[^\p{L}\p{N}_]/gu, "\\$&");
    const found = new RegExp(`(?<![\\p{L}\\p{N}_-])${word}(?![\\p{L}\\p{N}_-])`, i === 0 ? "iu" : "u").exec(
      text.slice(at),
    );
    at += found ? found.index + found[0].length : 0;
    return found !== null && (parts.length > 1 || /[\s(]/.test(text));
  });
}

/** `alias g=git`, `hash -p /usr/bin/git g`: from then on it goes by another name. */
function isNamed(pattern: CommandPattern, value: string, depth: number): boolean {
  const meant = value.slice(value.indexOf("=") + 1);
  const [first = ""] = meant.trim().split(/\s/);
  return programName(first) === wantedBy(pattern) || (/\W/.test(meant) && holds(pattern, meant, depth + 1));
}

/** `find -exec … ;`: what it runs, with names of files that nobody knows. */
function sentBy(values: readonly Value[]): Value[][] {
  const found: Value[][] = [];
  for (const [i, value] of values.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(value ?? "")) continue;
    const behind = values.slice(i + 1).map((each) => (each === FILE ? undefined : each));
    const end = behind.findIndex((each) => each === ";" || each === "+");
    if (behind.length > 0) found.push(end < 0 ? behind : behind.slice(0, end));
  }
  return found;
}

/** Its words in their order; options and others may stand between: `git -C shop push`. */
function fits({ parts, rest }: CommandPattern, args: readonly string[]): boolean {
  const given = new Set(args.flatMap(letters));
  let left = [...args];
  for (const part of parts.slice(1)) {
    // `-rf` is `-fr`, and `-r -f`.
    if ("is" in part && letters(part.is).length > 1) {
      if (!letters(part.is).every((letter) => given.has(letter))) return false;
      continue;
    }
    const at = left.findIndex((arg) => maybeMeans(part, arg));
    if (at < 0) return false;
    left = left.slice(at + 1);
  }
  return rest || parts.length > 1 || left.length === 0;
}

const letters = (word: string): string[] => (/^-[A-Za-z]+$/.test(word) ? word.slice(1).split("") : []);
