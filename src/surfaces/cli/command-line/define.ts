import type { Context } from "../context.ts";

/** What a shell offers for a word: open questions, tasks, files, or these. */
export type Offer = "ask" | "task" | "file" | readonly string[];
export type Option = {
  description: string;
  short?: string;
  /** What stands for its value in the help. Without one it is a flag. */
  value?: string;
  default?: string;
  repeatable?: true;
  of?: Offer;
  /** For the program itself: neither shown nor offered. */
  hidden?: true;
};
export type Positional = { optional?: true; repeatable?: true; of?: Offer };
type Options = Readonly<Record<string, Option>>;
type Positionals = Readonly<Record<string, Positional>>;

/** What is known of a command before it is loaded. */
export type Entry = {
  name: string;
  summary: string;
  hidden?: true;
  /** Another name that goes on working: what does the same. The overview has it below the others. */
  sameAs?: string;
  /** The command that a word behind this one belongs to: `tasks show` is `task show`. */
  one?: string;
  load: () => Promise<{ command: Definition }>;
};
export type Definition = {
  /** Each behind `parley <name>`; else they are made of the positionals. */
  usage: readonly string[];
  about: string;
  /** With `json` and `help`, which every command has. */
  options: Options;
  positionals: Positionals;
  /** Said when there are too few words or too many. */
  needs?: string;
  subcommands: readonly Entry[];
  examples: readonly (readonly [command: string, meaning: string])[];
  notes?: string;
  /** It reads no settings and asks no daemon. */
  standsAlone?: true;
  /** Said when --help stands beside something else, where 0 would be taken for an answer. */
  helpStandsAlone?: string;
  run?: (input: Record<string, unknown>, context: Context) => Promise<number>;
};

/** `path`: how it is called, such as `task show`; `ownerOf`: the neighbour that has an option which this one lacks. */
export type Called = {
  path: string;
  definition: Definition;
  args: string[];
  ownerOf?: (option: string) => Promise<string | undefined>;
};

type Given<O extends Options, P extends Positionals> = Partial<Omit<Definition, "options" | "positionals" | "run">> & {
  about: string;
  options?: O;
  positionals?: P;
  /** It speaks another protocol. */
  noJson?: true;
  run?: (input: Input<O, P>, context: Context) => Promise<number>;
};
type MayMiss = { value: string; default?: never; repeatable?: never } | { optional: true; repeatable?: never };
type ValueOf<T> = T extends { repeatable: true } ? string[] : T extends Option ? FlagOr<T> : string;
type FlagOr<T extends Option> = T extends { value: string } ? string : boolean;
/** What was typed, by the names of options and positionals. */
export type Input<O, P = unknown> = {
  [K in keyof (O & P) as (O & P)[K] extends MayMiss ? never : K]: ValueOf<(O & P)[K]>;
} & {
  [K in keyof (O & P) as (O & P)[K] extends MayMiss ? K : never]?: ValueOf<(O & P)[K]>;
} & { json: boolean };

const JSON_OPTION: Option = { description: "print it as JSON" };
const HELP_OPTION: Option = { short: "h", description: "show this help" };

/** A command as data: its parsing, help and completion come from here, its name and summary from the table. */
export function defineCommand<const O extends Options = {}, const P extends Positionals = {}>({
  noJson,
  run,
  ...given
}: Given<O, P>): Definition {
  const { json = JSON_OPTION, ...options } = (given.options ?? {}) as Options;
  return {
    usage: [],
    subcommands: [],
    examples: [],
    ...given,
    positionals: given.positionals ?? {},
    options: { ...options, ...(!noJson && { json }), help: HELP_OPTION },
    ...(run && { run: (input, context) => run({ json: false, ...input } as unknown as Input<O, P>, context) }),
  };
}
