import { topFolder } from "../../machine/project-top.ts";
import { parseArgs } from "node:util";
import { planInstall, settingsPath } from "../../agents/claude-code/install.ts";
import { ERRORS, ParleyError } from "../../core/error.ts";
import { unifiedDiff } from "../../core/text/unified-diff.ts";
import { errorLine } from "./json.ts";
import { readExact, replaceFile } from "../../machine/atomic-file.ts";

/** `program`: the absolute path that the hooks will start. */
export type SetupIo = {
  out(text: string): void;
  err(text: string): void;
  ask?(prompt: string): Promise<string>;
  env: Record<string, string | undefined>;
  cwd: string;
  isTty: boolean;
  color: boolean;
  program: string;
};

const AGENTS = new Map([["claude-code", { name: "Claude Code", planInstall, settingsPath }]]);

const HELP = `Usage: parley setup <agent> [options]

Makes an agent ask through Parley, by adding hooks to its settings file.
Everything else in that file stays as it is; a backup is kept beside it.
Agents: ${[...AGENTS.keys()].join(", ")}

  --project   change the project's settings instead of your own
  --hold      with --project: no dialog in the terminal, only Parley answers
  --remove    take out what Parley put in
  --print     only show the change
  --yes       do not ask
  --json      print the result as JSON (with --yes or --print)
  --help      show this
`;

/** Contract: `out` and `err` get whole lines; the result is the exit code. */
export async function setup(args: string[], io: SetupIo): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    if (!(error instanceof Error && (error instanceof ParleyError || "code" in error))) throw error;
    const known = error instanceof ParleyError ? error : new ParleyError("settings", error.message, { cause: error });
    io.err(args.includes("--json") ? errorLine(known) : `parley setup: ${known.message}\n`);
    return ERRORS[known.code].exit;
  }
}

async function run(args: string[], io: SetupIo): Promise<number> {
  const { flags, names } = readArgs(args);
  if (flags.help) return say(io, HELP);
  const agent = agentFor(names, flags);
  const path = pathFor(agent, flags.project, io);
  const request = { program: io.program, hold: flags.hold, remove: flags.remove, file: path };
  const plan = agent.planInstall({ text: await readExact(path), ...request });
  const result = { path, changed: plan.changed, applied: false, backup: null };
  if (!plan.changed && flags.json) return say(io, `${JSON.stringify(result)}\n`);
  if (!plan.changed) return say(io, `${flags.remove ? "Nothing to remove" : "Already set up"}: ${path}\n`);
  const diff = unifiedDiff(plan, path);
  if (flags.print && flags.json) return say(io, `${JSON.stringify({ ...result, diff: `${diff.join("\n")}\n` })}\n`);
  if (flags.print) return say(io, painted(diff, io));
  if (!flags.yes && !(await agreed(diff, io, flags.json))) {
    io.err("Nothing was changed.\n");
    return 1;
  }
  const backup = await replaceFile(path, plan.before, plan.after);
  if (flags.json) return say(io, `${JSON.stringify({ ...result, applied: true, backup: backup ?? null })}\n`);
  const where = `(${path})${backup === undefined ? "" : `; backup: ${backup}`}`;
  if (flags.remove) return say(io, `✓ ${agent.name} no longer asks through Parley ${where}\n`);
  say(io, `✓ ${agent.name} asks through Parley now ${where}\n`);
  return say(io, "Running sessions use it from their next question on.\n");
}

function readArgs(args: string[]) {
  const flag = { type: "boolean", default: false } as const;
  const options = { project: flag, hold: flag, print: flag, yes: flag, remove: flag, json: flag, help: flag };
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    return { flags: values, names: positionals };
  } catch (error) {
    // Only the first sentence: the rest explains how to pass a file named like an option.
    const [what] = error instanceof Error ? error.message.split(". ") : [];
    throw usage(`${what ?? "Wrong options"}; see parley setup --help.`);
  }
}

function agentFor([name, ...more]: string[], flags: { hold: boolean; project: boolean; remove: boolean }) {
  const known = `Known agents: ${[...AGENTS.keys()].join(", ")}.`;
  if (name === undefined) throw usage(`Which agent? ${known}`);
  const agent = AGENTS.get(name);
  if (!agent) throw usage(`Unknown agent "${name}". ${known}`);
  if (more.length > 0) throw usage(`One agent at a time: "${more.join(" ")}" is too much.`);
  if (flags.hold && !flags.project) throw usage("--hold is for one project: add --project.");
  if (flags.hold && flags.remove) throw usage("--remove takes out everything: leave out --hold.");
  return agent;
}

function pathFor(agent: { settingsPath: typeof settingsPath }, project: boolean, io: SetupIo): string {
  const own = agent.settingsPath(io);
  if (!project) return own;
  const path = agent.settingsPath({ ...io, project: topFolder(io.cwd) });
  if (path !== own) return path;
  throw usage(`${path} is your own settings file, for every project. Run it inside a project.`);
}

async function agreed(diff: string[], io: SetupIo, json: boolean): Promise<boolean> {
  if (!io.isTty || !io.ask || json) {
    const why = json ? "--json does not ask" : "there is no terminal to ask on";
    throw usage(`Nothing was changed: ${why}. Add --yes to apply or --print to only see the change.`);
  }
  io.out(painted(diff, io));
  return /^y(es)?$/i.test((await io.ask("Apply this change? [y/N] ")).trim());
}

function painted(diff: string[], io: SetupIo): string {
  const colors: Record<string, string> = { "-": "\x1b[31m", "+": "\x1b[32m", "@": "\x1b[36m" };
  const plain = !io.color || !io.isTty || Boolean(io.env["NO_COLOR"]);
  const paint = (line: string) => (plain || !colors[line.charAt(0)] ? line : `${colors[line.charAt(0)]}${line}\x1b[0m`);
  return `${diff.map(paint).join("\n")}\n`;
}

function usage(message: string): ParleyError {
  return new ParleyError("usage", message);
}

function say(io: SetupIo, text: string): number {
  io.out(text);
  return 0;
}
