import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from "unbash";
import { staticValue } from "../grant/shell-words.ts";
import { undecidableProgram } from "../grant/undecidable-programs.ts";
import type { CommandReading, Did, Value } from "./command-reading.ts";
import { isKnown, programs } from "./programs.ts";

const LONGEST = 8000;
const MOST_COMMANDS = 50;
/** They run the words behind them, as they stand. */
const WRAPPERS: Record<string, string> = {
  sudo: "as another user",
  doas: "as another user",
  nohup: "",
  time: "",
  command: "",
};

/**
 * Read with a shell's grammar, wherever a simple command stands. Contract: never throws; what a word means only when it runs is
 * unknown, never guessed.
 */
export function readCommand(command: string): CommandReading {
  if (command.length > LONGEST) return { did: [], unknown: [`it has more than ${LONGEST} characters`] };
  const script = parse(command);
  if (script.errors && script.errors.length > 0) return { did: [], unknown: ["its syntax is not understood"] };
  const reading: CommandReading = { did: [], unknown: [] };
  const found: Command[] = [];
  let hasFunction = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Function") hasFunction = true;
    if (node.type === "Command") found.push(node);
    if (node.type === "Redirected") redirected(node.redirects, reading);
    if (found.length <= MOST_COMMANDS) forEachChild(node, visit);
  };
  visit(script);
  if (hasFunction) return { did: [], unknown: ["it defines functions of its own"] };
  if (found.length > MOST_COMMANDS) return { did: [], unknown: [`it has more than ${MOST_COMMANDS} commands`] };
  const leads = leadingFolder(command, found);
  for (const [i, each] of found.entries()) {
    if (leads !== undefined && i === 0) continue;
    simple(each, reading);
    redirected(each.redirects, reading);
  }
  const moves = found.some(
    (each, i) => (leads === undefined || i > 0) && ["cd", "pushd", "popd"].includes(each.name?.value ?? ""),
  );
  const inFolder = moves ? withoutRelative(reading) : reading;
  const did = leads === undefined ? inFolder.did : inFolder.did.map((each) => ({ ...each, from: leads }));
  return { did, unknown: [...new Set(inFolder.unknown)] };
}

/** `cd folder && …`: what follows runs there, or not at all. */
function leadingFolder(command: string, [first, second]: readonly Command[]): string | undefined {
  if (first?.name?.value !== "cd" || first.args.length !== 1 || !second) return undefined;
  const [folder] = first.args;
  const value = folder?.type === "Word" ? staticValue(folder) : undefined;
  return value !== undefined && value !== "-" && /^\s*&&\s*$/.test(command.slice(first.end, second.pos))
    ? value
    : undefined;
}

function withoutRelative({ did, unknown }: CommandReading): CommandReading {
  const isFixed = (each: Did) => each.type !== "touches" || each.path.startsWith("/");
  if (did.every(isFixed)) return { did, unknown };
  return { did: did.filter(isFixed), unknown: [...unknown, "it changes its folder on the way"] };
}

function simple({ name, args }: Command, reading: CommandReading): void {
  if (!name) return;
  const words = [name, ...args];
  const values = words.map((word) => (word.type === "Word" ? valueOf(word) : undefined));
  const at = values.findIndex(
    (value, i) => value === undefined || !(value.text in WRAPPERS) || isOption(values[i + 1]?.text),
  );
  const [program, ...rest] = values.slice(at);
  if (at > 0 && WRAPPERS[values[0]?.text ?? ""])
    reading.did.push({ type: "runs", text: `${WRAPPERS[values[0]?.text ?? ""]}`, by: values[0]?.text ?? "" });
  if (!program || program.star) return void reading.unknown.push("which program it runs is known only when it runs");
  if (["cd", "pushd", "popd", "true", ":", "echo", "printf", "exit", "set", "pwd", "sleep"].includes(program.text))
    return;
  const open = words.slice(at + 1).filter((_, i) => rest[i] === undefined);
  const why = isKnown(program.text) ? undefined : undecidableProgram([program.text]);
  if (why !== undefined) return void reading.unknown.push(why);
  for (const word of open) reading.unknown.push(`“${shortened(word.text)}” is known only when it runs`);
  programs(
    program.text,
    rest.filter((value) => value !== undefined),
    reading,
  );
}

function valueOf(word: Word): Value | undefined {
  const text = staticValue(word);
  if (text !== undefined) return { text };
  if (/^~\/[\w./-]+$/.test(word.text)) return { text: word.text };
  const isStar = word.parts?.every(
    (part) =>
      (part.type === "Literal" && /^[\p{L}\p{N}_@%+=:,./-]*$/u.test(part.text)) ||
      (part.type === "Glob" && part.kind === "star"),
  );
  return isStar && /^[^*]*[^/]*$/.test(word.text) && !word.text.slice(0, word.text.lastIndexOf("/") + 1).includes("*")
    ? { text: word.text, star: true }
    : undefined;
}

function redirected(redirects: readonly Redirection[], reading: CommandReading): void {
  for (const each of redirects) {
    if (each.type !== "Redirect" || !each.target || /^[0-9-]+$/.test(each.target.text)) continue;
    const path = valueOf(each.target);
    if (!path || path.star) reading.unknown.push(`“${shortened(each.target.text)}” is known only when it runs`);
    else if (path.text !== "/dev/null") {
      const does = each.operator.startsWith("<") ? "reads" : each.operator.endsWith(">>") ? "appends to" : "writes";
      reading.did.push({ type: "touches", does, path: path.text, by: `redirection ${each.operator}` });
    }
  }
}

const isOption = (text: string | undefined) => text === undefined || /^-|=/.test(text);
const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
