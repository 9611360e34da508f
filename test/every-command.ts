import type { Definition, Entry } from "../src/surfaces/cli/command-line/define.ts";
import { COMMANDS } from "../src/surfaces/cli/command-line/table.ts";

export type Known = { path: string; definition: Definition };

/** Every command of the table and each of its subcommands, but not what is for the program itself. */
export async function everyCommand(entries: readonly Entry[] = COMMANDS, above = ""): Promise<Known[]> {
  const found = entries
    .filter(({ hidden }) => !hidden)
    .map(async ({ name, load }) => {
      const path = `${above}${name}`;
      const { command: definition } = await load();
      return [{ path, definition }, ...(await everyCommand(definition.subcommands, `${path} `))];
    });
  return (await Promise.all(found)).flat();
}

export const shownOptions = ({ options }: Definition): string[] =>
  Object.entries(options).flatMap(([name, { hidden }]) => (hidden ? [] : `--${name}`));
