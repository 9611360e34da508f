import { forEachChild, parse, type SyntaxNode, type Word } from "unbash";
import type { ToolCall } from "../ask/tool-call.ts";
import { type CommandPattern, maybeMeans, type Read, readCommandPattern } from "./command-pattern.ts";
import type { GrantPattern } from "./grant.ts";
import type { Place } from "./match.ts";
import { fitsPath, readPathPattern } from "./path-pattern.ts";
import { staticValue } from "./shell-words.ts";
import { readsScript, runsOthers } from "./undecidable-programs.ts";

type Matches = (call: ToolCall, place: Place & { top: string }) => boolean;
const DEEPEST = 5;

/** `git push ...`, `write .github/**`, `read .env`, `fetch example.com`: the first word says which, else it is a command. */
export function mustAskPattern(text: string): GrantPattern {
  const [, type, rest] = /^(write|read|fetch) +(.+)$/s.exec(text.trim()) ?? [];
  if (type !== undefined && rest !== undefined) return { type: type as GrantPattern["type"], text: rest };
  return { type: "command", text: text.trim().replace(/^\$ +/, "") };
}

/**
 * A pattern of what must be asked about. Contract: the other way round than a grant: what cannot be told is asked about, and a
 * command counts wherever it stands, in a pipeline, behind `&&`, inside a substitution, behind `sudo` or in `bash -c`.
 */
export function readMustAsk(text: string): Read<Matches> {
  const pattern = mustAskPattern(text);
  if (pattern.type === "command") {
    const read = readCommandPattern(pattern.text);
    if ("refused" in read) return read;
    return { pattern: (call) => call.type === "command" && holds(read.pattern, call.command, 0) };
  }
  if (pattern.type === "fetch")
    return { pattern: (call) => call.type === "fetch" && mayBeHost(call.url, pattern.text) };
  const read = readPathPattern(pattern.text);
  if ("refused" in read) return read;
  return {
    pattern({ type, path }, { top, cwd, real }) {
      if (type !== pattern.type || typeof path !== "string") return false;
      const found = real(path.startsWith("/") ? path : `${cwd}/${path}`);
      if (found === undefined) return true;
      return found.startsWith(`${top}/`) && fitsPath(read.pattern, found.slice(top.length + 1), { hidden: true });
    },
  };
}

/** In any command of it, as far as it can be read; what cannot is taken for it. */
function holds(pattern: CommandPattern, command: string, depth: number): boolean {
  if (depth > DEEPEST) return true;
  const script = parse(command);
  if (script.errors && script.errors.length > 0) return true;
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (found) return;
    if ("errors" in node && Array.isArray(node.errors) && node.errors.length > 0) found = true;
    if (node.type === "Command" && node.name) found ||= isIt(pattern, node.name, node.args as readonly Word[], depth);
    forEachChild(node, visit);
  };
  visit(script);
  return found;
}

function isIt(pattern: CommandPattern, name: Word, args: readonly Word[], depth: number): boolean {
  const program = staticValue(name);
  if (program === undefined) return true;
  const values = args.map((arg) => (arg.type === "Word" ? staticValue(arg) : undefined));
  const isKnown = values.every((value) => value !== undefined);
  const [first] = pattern.parts;
  const wanted = first && "is" in first ? first.is : "";
  // A name that is given on the way may mean anything.
  if (lastName(program) === lastName(wanted))
    return !isKnown || values.some((value) => value.startsWith("alias.")) || fits(pattern, values);
  if (!runsOthers(program)) return false;
  if (isKnown && readsScript(program, values)) return true;
  // What it runs is in its words, or in one of them.
  return !isKnown || values.some((_, i) => isBehind(pattern, values.slice(i), wanted, depth));
}

function isBehind(
  pattern: CommandPattern,
  [first = "", ...rest]: readonly string[],
  wanted: string,
  depth: number,
): boolean {
  if (lastName(first) === lastName(wanted) && fits(pattern, rest)) return true;
  // Also behind an option that it touches: `-S'git push'`.
  return /[\s;&|]/.test(first) && [first, first.replace(/^-+\w/, "")].some((text) => holds(pattern, text, depth + 1));
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
const lastName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
/** Any way to get there counts. */
function mayBeHost(url: string, wanted: string): boolean {
  const [host, port] = wanted.toLowerCase().split(":");
  const found = URL.parse(url);
  if (!found) return true;
  return found.hostname.replace(/\.$/, "") === host && (port === undefined || [port, ""].includes(found.port));
}
