import type { Page } from "../../terminal/terminal.ts";
import { rowLines } from "./help.ts";
import { COMMANDS, GROUPS } from "./table.ts";

const ENDING = `An id may be shortened as long as it is unique. --json works everywhere.
More about one: parley <command> --help. Which Parley this is: parley --version
Exit codes: 0 done · 1 failed · 2 wrong usage or answer · 3 not found, not
running · 4 somebody was first · 5 the agent received something else · 69 the
daemon is not responding · 74 the disk cannot be written · 77 not allowed`;

/** Every command, one a line. Contract: loads none of them. */
export function overview({ style, width }: Page): string {
  const { bold } = style;
  const shown = COMMANDS.filter(({ hidden, sameAs }) => !hidden && sameAs === undefined);
  const lead = Math.max(...shown.map(({ name }) => name.length));
  const groups = GROUPS.map((group) => {
    const rows = shown
      .filter((entry) => entry.group === group)
      .map(({ name, summary }) => [name.padEnd(lead), summary] as const);
    return [bold(`${group}:`), ...rowLines(rows, Math.min(width, 80), style)].join("\n");
  });
  const head = `Parley: one inbox for the questions your coding agents ask.\n\n${bold("Usage:")} parley <command> [options]`;
  const others = COMMANDS.flatMap(({ name, sameAs }) => (sameAs === undefined ? [] : `${name} = ${sameAs}`));
  return `${[head, ...groups, `Other names: ${others.join(" · ")}`, ENDING].join("\n\n")}\n`;
}
