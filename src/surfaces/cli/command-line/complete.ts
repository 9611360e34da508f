import type { Definition, Entry, Offer, Option } from "./define.ts";
import { COMMANDS } from "./table.ts";

/** What a shell may put in the place of a word, and what it says beside it. */
export type Offered = { value: string; text: string };
/** `file` is for the shell itself; open questions and tasks are only asked for where one is meant. */
export type Sources = Record<"ask" | "task", () => Promise<readonly Offered[]>>;

const ANYWHERE: readonly Entry[] = [
  ...COMMANDS,
  { name: "help", summary: "the same as --help", load: async () => ({ command: HELP }) },
];
const HELP: Definition = { about: "", usage: [], options: {}, positionals: {}, subcommands: COMMANDS, examples: [] };
const ALONE = {
  help: { short: "h", description: "every command" },
  version: { short: "v", description: "which Parley this is" },
} satisfies Record<string, Option>;

/** What may stand for the last of these words, which are those behind `parley`. Contract: loads only the command that is meant. */
export async function complete(line: readonly string[], sources: Sources): Promise<readonly Offered[] | "file"> {
  const words = withoutEquals(line);
  const typed = words.at(-1) ?? "";
  const place = await placeOf(words.slice(0, -1));
  if (!place) return [];
  const { definition, before } = place;
  const [, option = "", begun = typed] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
  const wanted = optionNamed(definition, option || (before.at(-1) ?? ""));
  if (wanted?.value !== undefined) return offered(wanted.of, begun, sources, option && `${option}=`);
  if (option !== "") return [];
  if (typed.startsWith("-") && !before.includes("--")) return beginning(optionOffers(definition, before), typed);
  const count = wordsIn(definition, before);
  if (definition.subcommands.length > 0) return count > 0 ? [] : beginning(entryOffers(definition.subcommands), typed);
  const positionals = Object.values(definition.positionals);
  const last = positionals.at(-1);
  return offered((positionals[count] ?? (last?.repeatable ? last : undefined))?.of, typed, sources);
}

/** Bash takes `--state=open` apart at the sign. */
function withoutEquals(line: readonly string[]): string[] {
  const isSign = (word: string | undefined, i: number) => word === "=" && /^--\w/.test(line[i - 1] ?? "");
  const left = line.filter((word, i) => !isSign(word, i));
  return isSign(line.at(-1), line.length - 1) ? [...left, ""] : left;
}

/** The command that these words lead to, and what stands behind its name. */
async function placeOf(words: readonly string[]): Promise<{ definition: Definition; before: string[] } | undefined> {
  let definition: Definition = { ...HELP, options: ALONE, subcommands: ANYWHERE };
  let before = [...words];
  while (definition.subcommands.length > 0) {
    const at = before.findIndex((word) => !word.startsWith("-"));
    const entry = definition.subcommands.find(({ name }) => name === before[at]);
    if (at >= 0 && !entry) return undefined;
    if (!entry) break;
    definition = (await entry.load()).command;
    before = before.toSpliced(at, 1);
  }
  return { definition, before };
}

async function offered(of: Offer | undefined, typed: string, sources: Sources, lead = "") {
  if (of === "file") return "file";
  const all = typeof of === "string" ? await sources[of]() : (of ?? []).map((value) => ({ value, text: "" }));
  return beginning(all, typed).map(({ value, text }) => ({ value: `${lead}${value}`, text }));
}

const beginning = (all: readonly Offered[], typed: string) => all.filter(({ value }) => value.startsWith(typed));

const entryOffers = (entries: readonly Entry[]) =>
  entries.flatMap(({ name, summary, hidden }) => (hidden ? [] : { value: name, text: summary }));

/** What was given already is not offered again, unless it may be. */
function optionOffers({ options }: Definition, before: readonly string[]): Offered[] {
  return Object.entries(options).flatMap(([name, { description, short, repeatable, hidden }]) => {
    const isGiven = before.some((word) => word === `-${short}` || word.split("=")[0] === `--${name}`);
    return hidden || (isGiven && !repeatable) ? [] : { value: `--${name}`, text: description };
  });
}

function optionNamed({ options }: Definition, word: string): Option | undefined {
  const [name] =
    Object.entries(options).find(([long, { short }]) => word === `--${long}` || word === `-${short}`) ?? [];
  return name === undefined ? undefined : options[name];
}

/** How many words stand there that are neither options nor their values. */
function wordsIn(definition: Definition, before: readonly string[]): number {
  const isValue = (i: number) => optionNamed(definition, before[i - 1] ?? "")?.value !== undefined;
  return before.filter((word, i) => !word.startsWith("-") && !isValue(i)).length;
}
