import { wrap } from "../../terminal/columns.ts";
import type { Page } from "../../terminal/terminal.ts";
import type { Definition, Option, Positional } from "./define.ts";

const WIDEST = 80;
/** A longer first column would leave too little room: its second one goes below. */
const WIDEST_LEAD = 50;
type Row = readonly [lead: string, text: string];

/** `path`: how the command is called, such as `task show`. */
export function helpOf(path: string, definition: Definition, page: Page): string {
  const { subcommands, options, examples, notes, about } = definition;
  const width = Math.min(page.width, WIDEST);
  const { bold } = page.style;
  const part = (title: string, rows: readonly Row[]) =>
    rows.length === 0 ? [] : [[bold(`${title}:`), ...rowLines(rows, width, page.style)]];
  const shown = Object.entries(options).filter(([, { hidden }]) => !hidden);
  const parts = [
    usageLines(path, definition).map((line, i) => (i === 0 ? line.replace("Usage:", bold("Usage:")) : line)),
    wrap(about, width),
    ...part(
      "Commands",
      subcommands.map(({ name, summary }) => [name, summary]),
    ),
    ...part(
      "Options",
      shown.map(([name, option]) => [optionLead(name, option), option.description]),
    ),
    ...part("Examples", examples),
    ...(notes === undefined ? [] : [wrap(notes, width)]),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Two columns, the second one wrapped below itself. */
export function rowLines(rows: readonly Row[], width: number, { cyan }: Page["style"]): string[] {
  const lead = Math.max(...rows.map(([text]) => Bun.stringWidth(text)).filter((columns) => columns <= WIDEST_LEAD), 0);
  const indent = " ".repeat(lead + 4);
  return rows.flatMap(([head, text]) => {
    const lines = text === "" ? [] : wrap(text, Math.max(20, width - indent.length));
    const isLong = Bun.stringWidth(head) > lead;
    const below = (isLong ? lines : lines.slice(1)).map((line) => `${indent}${line}`);
    if (isLong || lines.length === 0) return [`  ${cyan(head)}`, ...below];
    return [`  ${cyan(head)}${" ".repeat(lead - Bun.stringWidth(head))}  ${lines[0]}`, ...below];
  });
}

function usageLines(path: string, { usage, positionals, subcommands, run }: Definition): string[] {
  const made = subcommands.length > 0 ? `${run ? "[<command>]" : "<command>"} [options]` : wordsOf(positionals);
  return (usage.length > 0 ? usage : [made]).map((words, i) =>
    `${i === 0 ? "Usage:" : "      "} parley ${path} ${words}`.trimEnd(),
  );
}

function wordsOf(positionals: Definition["positionals"]): string {
  return [...Object.entries(positionals).map(positionalWord), "[options]"].join(" ");
}

function positionalWord([name, { optional, repeatable }]: [string, Positional]): string {
  const dots = repeatable ? "…" : "";
  return optional ? `[${name}${dots}]` : `<${name}>${dots}`;
}

/** `-n, --number N`; without a letter the long names stand below each other all the same. */
function optionLead(name: string, { short, value }: Option): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}
