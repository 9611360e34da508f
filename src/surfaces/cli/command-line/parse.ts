import type { ParseArgsOptionsConfig } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import type { Called, Definition, Option } from "./define.ts";

export type Parsed = { help: boolean; input: Record<string, unknown> };

/** Contract: throws a usage error that says what was meant, where that can be told. */
export async function parseInput(called: Called): Promise<Parsed> {
  const { path, definition, args } = called;
  const allowPositionals = Object.keys(definition.positionals).length > 0;
  try {
    const options = parseConfig(definition.options);
    const { values, positionals } =
      args.length === 0 ? nothingTyped(options) : (await util()).parseArgs({ args, allowPositionals, options });
    const { help, ...input } = values;
    if (help === true) return (refuseBeside(definition, args), { help, input });
    return { help: false, input: { ...input, ...named(positionals, path, definition) } };
  } catch (error) {
    throw error instanceof ParleyError ? error : await usageError(error, called);
  }
}

/** It takes 3 ms to load, which a command without words need not wait for. */
export const util = () => import("node:util");

/** What `parseArgs` makes of no words. */
function nothingTyped(options: ParseArgsOptionsConfig): { values: Record<string, unknown>; positionals: string[] } {
  const usual = Object.entries(options).filter(([, { default: value }]) => value !== undefined);
  return { values: Object.fromEntries(usual.map(([name, { default: value }]) => [name, value])), positionals: [] };
}

export function parseConfig(options: Definition["options"]): ParseArgsOptionsConfig {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, configOf(option)]));
}

function configOf({ value, short, repeatable, default: usual }: Option): ParseArgsOptionsConfig[string] {
  const named = short === undefined ? {} : { short };
  if (value === undefined) return { type: "boolean", default: false, ...named };
  if (repeatable) return { type: "string", multiple: true, default: [], ...named };
  return { type: "string", ...(usual !== undefined && { default: usual }), ...named };
}

function refuseBeside({ helpStandsAlone }: Definition, args: readonly string[]): void {
  if (helpStandsAlone !== undefined && args.length > 1) throw new ParleyError("usage", helpStandsAlone);
}

function named(words: readonly string[], path: string, { positionals, needs }: Definition): Record<string, unknown> {
  const see = `See: parley ${path} --help`;
  const left = [...words];
  const found: Record<string, unknown> = {};
  for (const [name, { optional, repeatable, of }] of Object.entries(positionals)) {
    const taken = left.splice(0, repeatable ? left.length : 1);
    // An empty id is none: `parley show "$id"`.
    const isMissing = taken.length === 0 || (of === "ask" && taken[0] === "");
    if (isMissing && !optional) throw new ParleyError("usage", needs ?? `<${name}> is missing. ${see}`);
    if (repeatable) found[name] = taken;
    else if (!isMissing) found[name] = taken[0];
  }
  const [extra] = left;
  if (extra !== undefined) throw new ParleyError("usage", needs ?? `Unexpected argument '${extra}'. ${see}`);
  return found;
}

async function usageError(error: unknown, { path, definition, ownerOf }: Called): Promise<unknown> {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return error;
  const unknown = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? /'(--[^']*)'/.exec(message)?.[1] : undefined;
  const owner = unknown === undefined ? undefined : await ownerOf?.(unknown);
  const see = `See: parley ${path} --help`;
  if (owner !== undefined) return new ParleyError("usage", `${unknown} belongs to: parley ${owner}. ${see}`);
  // Behind the first sentence stands how to pass a value that looks like an option: of use only where one was meant.
  const [what = ""] = message.split(/\.\s/);
  const dashed = /use '(--\w+=-)XYZ'/.exec(message)?.[1];
  const todo = dashed === undefined ? "" : `; a value that begins with a dash: ${dashed}…`;
  const { didYouMean } = await import("./did-you-mean.ts");
  const meant = unknown === undefined ? "" : didYouMean(unknown, shownOptions(definition));
  return new ParleyError("usage", `${what}${todo}.${meant} ${see}`, { cause: error });
}

const shownOptions = ({ options }: Definition) =>
  Object.entries(options).flatMap(([name, { hidden }]) => (hidden ? [] : `--${name}`));
