import { describe, expect, test } from "bun:test";
import { parseArgs } from "node:util";
import { everyCommand, shownOptions } from "../../../../test/every-command.ts";
import type { Page } from "../../terminal/terminal.ts";
import { didYouMean } from "./did-you-mean.ts";
import { findCommand } from "./find.ts";
import { helpOf } from "./help.ts";
import { overview } from "./overview.ts";
import { parseConfig, parseInput } from "./parse.ts";
import { COMMANDS } from "./table.ts";

const plain = (text: string) => text;
const page: Page = {
  width: Infinity,
  style: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain },
};
const ALL = await everyCommand();
const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: Error) => error.message,
  );
const typed = async (line: string) => {
  const [name = "", ...args] = line.split(" ");
  return parseInput(await findCommand(name, args));
};

describe.each(ALL)("parley $path", ({ path, definition }) => {
  const help = helpOf(path, definition, page);

  test("[LZ1] without a word it is told the same as by the parser that is not loaded then", async () => {
    const options = parseConfig(definition.options);
    const { help: _help, ...usual } = parseArgs({ args: [], options }).values;
    const read = parseInput({ path, definition: { ...definition, positionals: {} }, args: [] });
    expect(await read).toEqual({ help: false, input: { ...usual } });
  });

  test("[CM2] its help lists exactly its options and subcommands, each with what it means", () => {
    const part = (title: string) => new RegExp(`^${title}:\\n((?:  .*\\n)+)`, "m").exec(help)?.[1] ?? "";
    const options = [
      ...part("Options").matchAll(/^ {2}(?:-(\w), | {4})--([\w-]+)(?: (\S.*?))?(?: {2,}|\n +)(\S.*)$/gm),
    ];
    const shown = Object.entries(definition.options).filter(([, { hidden }]) => !hidden);
    expect(options.map(([, short, name, value]) => [name, short, value])).toEqual(
      shown.map(([name, { short, value }]) => [name, short, value]),
    );
    for (const [i, [, option]] of shown.entries()) expect(option.description).toStartWith(options[i]?.[4] ?? "-");
    const subcommands = [...part("Commands").matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map(([, name]) => name);
    expect(subcommands).toEqual(definition.subcommands.map(({ name }) => name));
  });

  test("[CM3] its help begins with how it is called and fits 80 columns", () => {
    expect(help).toStartWith(`Usage: parley ${path}`);
    const lines = help.split("\n");
    expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    expect(lines.length).toBeLessThan(43);
  });

  test("[CM4] its definition holds together", () => {
    const { options, positionals, run, subcommands } = definition;
    const shorts = Object.values(options).flatMap(({ short }) => short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    for (const { repeatable, value, default: usual } of Object.values(options))
      if (repeatable || usual !== undefined) expect(value).toBeString();
    // A word is given to the first that takes one.
    const kinds = Object.values(positionals);
    expect(kinds.slice(0, -1).filter(({ optional, repeatable }) => optional || repeatable)).toEqual([]);
    expect(Object.keys(positionals).filter((name) => name in options)).toEqual([]);
    expect(run !== undefined || subcommands.length > 0).toBe(true);
    // Both only where a word with a dot, a colon or a slash is the one thing it may be given (`find.ts`).
    const [first, ...more] = kinds;
    const isTold = first?.optional === true && more.length === 0 && run !== undefined;
    expect(kinds.length === 0 || subcommands.length === 0 || isTold).toBe(true);
    if (isTold) expect(subcommands.filter(({ name }) => /[.:/]/.test(name))).toEqual([]);
  });

  test("[CM5] an option with a letter too many says which was meant", async () => {
    for (const option of shownOptions(definition).filter((name) => name.length > 4)) {
      const wrong = `${option}x`;
      expect(await messageOf(typed(`${path} ${wrong}`))).toStartWith(
        `Unknown option '${wrong}'. Did you mean ${option}`,
      );
    }
  });

  test("[CM6] --help and -h are understood beside anything else, except where 0 is an answer", async () => {
    for (const word of ["--help", "-h"]) expect(await typed(`${path} ${word}`)).toMatchObject({ help: true });
    const beside = await typed(`${path} --help --json`).catch(() => undefined);
    const isAlone = definition.helpStandsAlone !== undefined || !("json" in definition.options);
    expect(beside?.help).toBe(isAlone ? undefined : true);
  });
});

test("[CM7] the overview has every command once, on a line of its own, without what is for the program itself", () => {
  const text = overview(page);
  const named = [...text.matchAll(/^ {2}([a-z-]+) +\S/gm)].map(([, name]) => name);
  const shown = COMMANDS.filter(({ hidden, sameAs }) => !hidden && sameAs === undefined);
  expect(named).toEqual(shown.map(({ name }) => name));
  expect(shown.slice(0, 10).every(({ group }) => group === "Every day")).toBe(true);
  const others = COMMANDS.filter(({ sameAs }) => sameAs !== undefined).map(({ name }) => `${name} = `);
  expect(others.filter((name) => !text.includes(name))).toEqual([]);
  expect(text.split("\n").filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
});

test("[CM8] a command with two letters in the wrong order says which was meant", async () => {
  for (const { name, hidden } of COMMANDS) {
    if (hidden || name.length < 4) continue;
    const wrong = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
    if (COMMANDS.some((each) => each.name === wrong)) continue;
    const message = await messageOf(findCommand(wrong, []));
    expect(message).toMatch(
      new RegExp(`^There is no command "${wrong}"\\. Did you mean (\\S+ or )?${name}( or \\S+)?\\?`),
    );
  }
});

test.each([
  ["lss", ["ls", "log"], " Did you mean ls?"],
  ["auto", ["autopilot", "ask"], " Did you mean autopilot?"],
  ["lo", ["log", "logs", "ls"], " Did you mean log or logs?"],
  ["STATUS", ["status"], " Did you mean status?"],
  ["deploy", ["down", "doctor"], ""],
  ["x", ["a", "up"], ""],
  ["", ["ls"], ""],
  ["--bogus", ["--json", "--help"], ""],
  ["--timout", ["--timeout", "--json"], " Did you mean --timeout?"],
])("[CM9] %p of %p:%p", (word, known, words) => {
  expect(didYouMean(word, known)).toBe(words);
});

test.each([
  ["task fly x", 'There is no "task fly". See: parley task --help'],
  ["task logz x", 'There is no "task logz". Did you mean logs? See: parley task --help'],
  ["autopilot puase", 'There is no "autopilot puase". Did you mean pause? See: parley autopilot --help'],
  ["keys look %3 --dry-run", "--dry-run belongs to: parley keys answer. See: parley keys look --help"],
  ["autopilot stats --limit 3", "--limit belongs to: parley autopilot test. See: parley autopilot stats --help"],
  ["task show x --folow", "Unknown option '--folow'. See: parley task show --help"],
  ["task logs x --folow", "Unknown option '--folow'. Did you mean --follow? See: parley task logs --help"],
  ["ls now", "Unexpected argument 'now'. See: parley ls --help"],
  ["mcp --json", "Unknown option '--json'. See: parley mcp --help"],
])("[CM10] parley %s: %s", async (line, message) => {
  expect(await messageOf(typed(line))).toBe(message);
});

test("[FM9] a word behind tasks is what task does with one, and its own options stay its own", async () => {
  expect((await findCommand("tasks", ["show", "x"])).path).toBe("task show");
  expect((await findCommand("tasks", ["--all"])).path).toBe("tasks");
  expect(await messageOf(typed("tasks fly x"))).toBe('There is no "task fly". See: parley task --help');
});

test("[CM11] options may stand before a subcommand, with their values", async () => {
  const called = await findCommand("autopilot", ["--session", "S", "pause", "--json"]);
  expect(called.path).toBe("autopilot pause");
  expect((await parseInput(called)).input).toEqual({ session: "S", json: true });
  expect((await findCommand("task", ["--json", "rm", "x"])).path).toBe("task rm");
  expect((await findCommand("autopilot", ["--json"])).path).toBe("autopilot");
});

test("[CM12] what was not typed is false, its default, a list without words, or not there", async () => {
  expect((await typed("ls")).input).toEqual({ done: false, all: false, hub: false, json: false });
  expect((await typed("log -f")).input).toEqual({ number: "50", follow: true, daemon: false, json: false });
  const { input } = await typed("task answer k3x 1 2 -m a -m b");
  expect(input).toMatchObject({ id: "k3x", choices: ["1", "2"], message: ["a", "b"], text: [], decline: false });
});
