import { createClient } from "../../client/client.ts";
import { ERRORS, ParleyError } from "../../core/error.ts";
import { homeDir, pathsIn } from "../../machine/home.ts";
import type { Lent } from "./context.ts";
import type { Called } from "./command-line/define.ts";
import { findCommand } from "./command-line/find.ts";
import { parseInput } from "./command-line/parse.ts";
import { sayConfigProblems } from "./config-problems.ts";
import { failureCode } from "./exit-code.ts";
import { errorLine, jsonLine } from "./json.ts";
import { tellMismatches } from "./answering/tell-mismatches.ts";
import { type Terminal, thisTerminal } from "../terminal/terminal.ts";

/** Contract: the one place of the command line where errors are caught; answers the exit code. */
export async function run(name: string, args: string[], version: string, lent: Lent): Promise<number> {
  const terminal = thisTerminal(process.env, process.cwd(), failureCode(name, 0));
  const paths = pathsIn(homeDir(process.env));
  const json = [name, ...args].includes("--json");
  const [subject, ...behind] = args;
  if (name === "help" && subject !== undefined) return run(subject, [...behind, "--help"], version, lent);
  if (name === "" && terminal.isTty && terminal.ask) return run("inbox", args, version, lent);
  if (["", "help", "--help", "-h"].includes(name))
    return (terminal.out((await import("./command-line/overview.ts")).overview(terminal)), 0);
  if (["version", "--version", "-v"].includes(name))
    return (terminal.out(json ? jsonLine({ version }) : `parley ${version}\n`), 0);
  try {
    const called = await findCommand(name, args);
    const { help, input } = await parseInput(called);
    const { run: start, needs } = called.definition;
    if (help || (!start && needs === undefined)) return await showHelp(called, terminal);
    if (!start) throw new ParleyError("usage", needs ?? "");
    const client = createClient(paths, { version, inside: async () => (await import("./guard.ts")).sessionHere() });
    const context = { terminal, client, paths, version, ...lent };
    // What reads no settings and asks no daemon has nothing to hear from either.
    const isAlone = json || called.definition.standsAlone === true;
    if (!isAlone) await sayConfigProblems(name, context);
    const code = await start(input, context);
    if (!isAlone) await tellMismatches(name, context);
    return code;
  } catch (error) {
    const known =
      error instanceof ParleyError ? error : new ParleyError("internal", (error as Error).message, { cause: error });
    terminal.err(json ? errorLine(known) : (await import("./error-words.ts")).errorWords(known, terminal));
    return failureCode(name, ERRORS[known.code].exit);
  }
}

async function showHelp({ path, definition }: Called, terminal: Terminal): Promise<number> {
  const { helpOf } = await import("./command-line/help.ts");
  return (terminal.out(helpOf(path, definition, terminal)), 0);
}
