import { createClient, type Client } from "../../client/client.ts";
import { ERRORS, ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { homeDir, type Paths, pathsIn } from "../../machine/home.ts";
import { type Terminal, thisTerminal } from "./terminal.ts";

/** What every command gets. `client` starts the daemon when it is first used. */
export type Context = { terminal: Terminal; client: Client; paths: Paths; version: string };
export type Command = (args: string[], context: Context) => Promise<number>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  up: async () => (await import("./up.ts")).up,
  down: async () => (await import("./down.ts")).down,
  status: async () => (await import("./status.ts")).status,
  ls: async () => (await import("./ls.ts")).ls,
  show: async () => (await import("./show.ts")).show,
  answer: async () => (await import("./answer.ts")).answer,
  log: async () => (await import("./log.ts")).log,
  prune: async () => (await import("./prune.ts")).prune,
  setup: async () => (await import("./setup-command.ts")).setupCommand,
  decision: async () => (await import("./decision.ts")).decision,
};

const HELP = `Parley: one inbox for every question that coding agents ask.

Usage: parley <command> [options]        parley <command> --help

  setup <agent>      make an agent ask through Parley (claude-code)
  ls                 what waits for an answer, longest waiting first
  show <id>          one question with its options, context and history
  answer <id> 2      answer it; 1,3 for several options; -m for your own words
  log [id]           what happened; -f follows
  status             is Parley running, and how many questions wait
  up | down | serve  start, stop, run in the foreground
  prune              remove old settled questions
  decision list | show <id> | resolve <id> <number> [-m message]

An id may be shortened as long as it is unique. --json works everywhere.
Exit codes: 0 done · 1 failed · 2 wrong usage or wrong answer · 3 not found or
not running · 4 somebody was first · 5 the agent received something else ·
69 the daemon is stopped or does not answer · 77 not allowed
`;

/** Contract: the one place of the command line where errors are caught; answers the exit code. */
export async function run(name: string, args: string[], version: string): Promise<number> {
  const terminal = thisTerminal(process.env, process.cwd());
  const paths = pathsIn(homeDir(process.env));
  if (["", "help", "--help", "-h"].includes(name)) return say(terminal, HELP);
  if (["--version", "-v", "version"].includes(name)) return say(terminal, `parley ${version}\n`);
  const json = args.includes("--json");
  try {
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load)
      throw new ParleyError("usage", `There is no command "${safeLine(name, { max: 40 })}". See: parley --help`);
    const command = await load();
    return await command(args, { terminal, client: createClient(paths), paths, version });
  } catch (error) {
    const known = asParleyError(error);
    terminal.err(json ? `${JSON.stringify({ error: plain(known) })}\n` : inWords(known, terminal));
    return ERRORS[known.code].exit;
  }
}

function say(terminal: Terminal, text: string): number {
  terminal.out(text);
  return 0;
}

function asParleyError(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isUsage = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
  return new ParleyError(isUsage ? "usage" : "internal", message, { cause: error });
}

const plain = ({ code, message, problems, details }: ParleyError) => ({ code, message, problems, details });

/** Several problems are listed one a line; a single one is the message itself. */
function inWords({ message, problems }: ParleyError, { style }: Terminal): string {
  const lines = problems.length > 1 ? problems.map((p) => `  ${safeLine(p.field)}: ${safeLine(p.message)}`) : [];
  const head = problems.length > 1 ? `${problems.length} problems:` : safeLine(message, { max: 2000 });
  return `${style.red("✗")} ${[head, ...lines].join("\n")}\n`;
}
