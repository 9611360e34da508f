import { parse, type Redirection, type Word } from "unbash";

/** The words that a shell would run a command with, or why that cannot be said without running it. */
export type ShellWords = { words: readonly string[]; raw: readonly Word[] } | { undecided: string };

const LONGEST = 8000;
/** Unquoted, these mean themselves in bash, in zsh and in sh. */
const PLAIN = /^(?:[\p{L}\p{N}_@%+=:,./-]|(?<![=:])~|\\[^\n\p{C}])*$/u;

/**
 * Contract: words only for one simple command that every common shell reads the same way. Whatever else stands there, or is not
 * understood, is undecided. `stars`: an unquoted `*` is a word's own, as in a pattern of ours.
 */
export function shellWords(command: string, { stars = false } = {}): ShellWords {
  if (command.length > LONGEST) return { undecided: "it is too long" };
  if (/[^\P{C}\n\t]|\u2028|\u2029/u.test(command)) return { undecided: "it holds a control character" };
  if (/\p{Default_Ignorable_Code_Point}/u.test(command)) return { undecided: "it holds a character that is not seen" };
  const { commands, errors, shebang } = parse(command);
  if (errors && errors.length > 0) return { undecided: "its syntax is not understood" };
  const [statement, ...more] = commands;
  if (!statement || shebang !== undefined) return { undecided: "it is empty" };
  if (more.length > 0) return { undecided: "it is more than one command" };
  const { command: node, background } = statement;
  if (background || node.type !== "Command") return { undecided: NOT_SIMPLE[node.type] ?? "it is no simple command" };
  if (!node.name) return { undecided: "it names no program" };
  const redirects = node.redirects;
  if (node.prefix.some(({ type }) => type === "Assignment")) return { undecided: "it sets variables" };
  const streams = redirects.map(streamOf);
  // Two places for one stream are both in zsh, the last in bash.
  if (
    !redirects.every((each) => isHarmless(each) && /^[012]?[<>]/.test(command.slice(each.pos))) ||
    new Set(streams).size < streams.length
  )
    return { undecided: "it redirects input or output" };
  const words = [node.name, ...node.args];
  for (const word of words) {
    const why = word.type === "Word" ? undecidedIn(word, stars) : "it sets variables";
    if (why !== undefined) return { undecided: why };
  }
  // A comment, a line that goes on, an operator: whatever the tree does not hold.
  if (!isCovered(command, [...words, ...redirects])) return { undecided: "it holds more than words" };
  const raw = words as readonly Word[];
  return { words: raw.map(({ value }) => value), raw };
}

/** What a program gets for this word; undefined: only running it says that. */
export const staticValue = (word: Word): string | undefined =>
  undecidedIn(word, false) === undefined ? word.value : undefined;

const NOT_SIMPLE: Record<string, string> = {
  Pipeline: "it is a pipeline",
  AndOr: "it is more than one command",
  Command: "it goes on in the background",
};

/** Where only quotes and plain characters stand, the value is what the program gets. */
function undecidedIn({ text, value, parts }: Word, stars: boolean): string | undefined {
  if (/^=|^~/.test(text)) return "it holds an expansion";
  // The parser keeps a last backslash; a shell waits for more.
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) return "its syntax is not understood";
  if (!parts) return PLAIN.test(text) && (value !== "" || text === "") ? undefined : "it holds an expansion";
  for (const part of parts) {
    if (part.type === "SingleQuoted") continue;
    if (part.type === "Literal" && PLAIN.test(part.text)) continue;
    if (part.type === "DoubleQuoted" && part.parts.every(({ type }) => type === "Literal")) continue;
    if (stars && part.type === "Glob" && part.kind === "star") continue;
    return part.type === "CommandExpansion" ? "it holds a substitution" : "it holds an expansion";
  }
  return undefined;
}

/** One output to the other, or to nobody. Any other place is not part of what was shown. */
function isHarmless(redirect: Redirection): boolean {
  if (redirect.type !== "Redirect") return false;
  const { descriptor, operator, target } = redirect;
  if (descriptor && (descriptor.type !== "FileDescriptor" || ![0, 1, 2].includes(descriptor.value))) return false;
  if (operator === ">&") return target?.text === "1" || target?.text === "2";
  return [">", ">>", "<"].includes(operator) && target?.text === "/dev/null";
}

function streamOf({ descriptor, operator }: Redirection): number {
  if (descriptor?.type === "FileDescriptor") return descriptor.value;
  return operator.startsWith("<") ? 0 : 1;
}

/** Blanks before each, and nothing else: shells differ on where a redirection ends that touches the next. */
function isCovered(command: string, nodes: readonly { pos: number; end: number }[]): boolean {
  let at = 0;
  for (const [i, { pos, end }] of nodes.toSorted((a, b) => a.pos - b.pos).entries()) {
    if (pos < at || !(i === 0 ? /^[ \t]*$/ : /^[ \t]+$/).test(command.slice(at, pos))) return false;
    at = end;
  }
  return /^[ \t]*\n*$/.test(command.slice(at));
}
