import { ParleyError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { Called, Definition, Entry } from "./define.ts";
import { parseConfig, util } from "./parse.ts";
import { COMMANDS } from "./table.ts";

/** Contract: throws a usage error where there is no such command. */
export async function findCommand(name: string, args: string[]): Promise<Called> {
  const entry = COMMANDS.find((each) => each.name === name);
  if (entry?.one !== undefined && /^[^-]/.test(args[0] ?? "")) return findCommand(entry.one, args);
  if (entry) return findSubcommand({ path: name, definition: (await entry.load()).command, args });
  if (name.startsWith("-")) {
    const at = args.findIndex((word) => COMMANDS.some((each) => each.name === word));
    const meant = at < 0 ? ["<command>", name] : [args[at], name, ...args.toSpliced(at, 1)];
    const typed = safeLine(`parley ${meant.join(" ")}`, { max: 80 });
    throw new ParleyError("usage", `The command comes first: ${typed}. See: parley --help`);
  }
  const { didYouMean } = await import("./did-you-mean.ts");
  const meant = didYouMean(name, namesOf(COMMANDS));
  const what = `There is no command "${safeLine(name, { max: 40 })}".`;
  throw new ParleyError("usage", `${what}${meant} See: parley --help`);
}

/** The command that is meant, behind the names of its subcommands. Contract: loads no other one, unless an option comes first. */
async function findSubcommand(called: Called): Promise<Called> {
  const { path, definition, args } = called;
  const { subcommands } = definition;
  const at = subcommands.length === 0 ? -1 : await firstWord(definition, args);
  const word = args[at];
  if (word === undefined) return called;
  if (word === "help") return { path, definition, args: ["--help"] };
  const entry = subcommands.find(({ name }) => name === word);
  // No name of one has such letters: it is what the command itself is given.
  if (!entry && definition.run && Object.keys(definition.positionals).length > 0 && /[.:/]/.test(word)) return called;
  if (!entry) throw await noSuch(path, word, subcommands);
  const others = subcommands.filter((each) => each !== entry);
  return findSubcommand({
    path: `${path} ${word}`,
    definition: (await entry.load()).command,
    args: args.toSpliced(at, 1),
    ownerOf: (option) => ownerAmong(others, path, option),
  });
}

/** `parley autopilot --session S pause`: which word is a value only the options tell. */
async function firstWord({ options, subcommands }: Definition, args: string[]): Promise<number> {
  if (!args[0]?.startsWith("-")) return 0;
  const all = await Promise.all(subcommands.map(async ({ load }) => (await load()).command.options));
  const config = parseConfig(Object.assign({}, options, ...all) as Definition["options"]);
  const { parseArgs } = await util();
  const { tokens } = parseArgs({ args, strict: false, allowPositionals: true, tokens: true, options: config });
  return tokens.find(({ kind }) => kind === "positional")?.index ?? -1;
}

async function ownerAmong(entries: readonly Entry[], path: string, option: string): Promise<string | undefined> {
  for (const { name, load } of entries)
    if (Object.hasOwn((await load()).command.options, option.replace(/^--/, ""))) return `${path} ${name}`;
  return undefined;
}

async function noSuch(path: string, word: string, known: readonly Entry[]): Promise<ParleyError> {
  const { didYouMean } = await import("./did-you-mean.ts");
  const meant = didYouMean(word, namesOf(known));
  const what = `There is no "${path} ${safeLine(word, { max: 40 })}".`;
  return new ParleyError("usage", `${what}${meant} See: parley ${path} --help`);
}

const namesOf = (entries: readonly Entry[]) => entries.flatMap(({ name, hidden }) => (hidden ? [] : name));
