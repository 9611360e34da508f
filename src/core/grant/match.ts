import type { ToolCall } from "../ask/tool-call.ts";
import { exactPattern, fitsCommand, type Read, readCommandPattern, whyTooOpen } from "./command-pattern.ts";
import type { GrantPattern } from "./grant.ts";
import { fitsPath, readPathPattern } from "./path-pattern.ts";
import { shellWords, type ShellWords } from "./shell-words.ts";
import { undecidableProgram } from "./undecidable-programs.ts";

/** Where a call is made. `real`: a path without links and `..`, as far as it is there; undefined: that cannot be said. */
export type Place = { cwd: string; real(path: string): string | undefined };
type Scope = { pattern: GrantPattern; folder: string };
type Fits = (call: ToolCall, place: Place) => boolean;

/**
 * A pattern, ready to be compared with calls. Contract: a call fits only if all of what it does is what the pattern says; what
 * cannot be decided does not fit.
 */
export function readGrant({ pattern, folder }: Scope): Read<Fits> {
  const read = READ[pattern.type](pattern.text, folder);
  return "refused" in read
    ? read
    : { pattern: (call, place) => call.type === pattern.type && read.pattern(call, place) };
}

/** The pattern for exactly this call, from the folder on; or why there is none. */
export function exactPatternFor(call: ToolCall, folder: string, place: Place): Read<GrantPattern> {
  switch (call.type) {
    case "command": {
      const read = shellWords(call.command);
      if ("undecided" in read) return { refused: read.undecided };
      const why = undecidableProgram(read.words);
      return why === undefined ? { pattern: { type: "command", text: exactPattern(read.words) } } : { refused: why };
    }
    case "write":
    case "read": {
      const text = below(folder, place.real(absolute(call.path, place.cwd)));
      if (text === undefined) return { refused: "the file lies outside of the folder" };
      return /[*\p{C}]/u.test(text)
        ? { refused: "its name cannot be told from a pattern" }
        : { pattern: { type: call.type, text } };
    }
    case "fetch": {
      const host = hostOf(call.url);
      return host === undefined ? { refused: "its host cannot be said" } : { pattern: { type: "fetch", text: host } };
    }
  }
}

/** A call is compared with every grant, and read once. */
const read = new WeakMap<object, ShellWords>();
function wordsOf(call: ToolCall & { type: "command" }): ShellWords {
  const words = read.get(call) ?? shellWords(call.command);
  read.set(call, words);
  return words;
}

const READ: Record<GrantPattern["type"], (text: string, folder: string) => Read<Fits>> = {
  command(text, folder) {
    const read = readCommandPattern(text);
    if ("refused" in read) return read;
    const why = whyTooOpen(read.pattern);
    if (why !== undefined) return { refused: why };
    return {
      pattern(call, place) {
        // In another folder the same words do something else.
        if (call.type !== "command" || place.real(place.cwd) !== folder) return false;
        const found = wordsOf(call);
        if ("undecided" in found || undecidableProgram(found.words) !== undefined) return false;
        return fitsCommand(read.pattern, found.words, (argument) => staysIn(folder, argument, place));
      },
    };
  },
  write: readFiles,
  read: readFiles,
  fetch(text) {
    const isHost = /^[\p{L}\p{N}.-]+(?::\d{1,5})?$/u.test(text) && hostOf(`https://${text}/`) === text;
    if (!isHost) return { refused: "it must be a host, such as example.com" };
    return { pattern: (call) => call.type === "fetch" && hostOf(call.url) === text };
  },
};

function readFiles(text: string, folder: string): Read<Fits> {
  const read = readPathPattern(text);
  if ("refused" in read) return read;
  return {
    pattern(call, place) {
      if (call.type !== "write" && call.type !== "read") return false;
      // An agent may take it for a home, or cut it.
      if (/^[~\s]|\s$/.test(call.path)) return false;
      const path = below(folder, place.real(absolute(call.path, place.cwd)));
      return path !== undefined && fitsPath(read.pattern, path);
    },
  };
}

/** Each part that a program might take for a path: all of it, what stands behind `=`, `:`, `,` and `@`, and between them. */
function staysIn(folder: string, argument: string, place: Place): boolean {
  const behind = [...argument.matchAll(/[=:,@]/g)].map(({ index }) => argument.slice(index + 1));
  return [argument, ...behind, ...argument.split(/[=:,@]/)].every((path) => {
    if (path === "") return true;
    if (path.startsWith("~")) return false;
    const real = place.real(absolute(path, place.cwd));
    return real === folder || below(folder, real) !== undefined;
  });
}

const absolute = (path: string, cwd: string): string => (path.startsWith("/") ? path : `${cwd}/${path}`);

function below(folder: string, path: string | undefined): string | undefined {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path !== undefined && path.startsWith(prefix) && path.length > prefix.length
    ? path.slice(prefix.length)
    : undefined;
}

/** Only over https, and without anything that hides where it goes. */
export function hostOf(url: string): string | undefined {
  const { protocol, host, username, password } = URL.parse(url) ?? {};
  return protocol === "https:" && host && !username && !password ? host : undefined;
}
