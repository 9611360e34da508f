import { topFolder } from "../../machine/git/project-top.ts";
import type { Agent } from "../../agents/agent.ts";
import { AGENTS, type Installable, isInstallable } from "../../agents/agents.ts";
import type { Install } from "../../agents/capability/install.ts";
import { planSetup, tryIt } from "../../agents/capability/set-up.ts";
import { ERRORS, ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { unifiedDiff } from "../../core/text/unified-diff.ts";
import { errorLine } from "./json.ts";
import { replaceFile } from "../../machine/file/atomic-file.ts";
import { shellWord } from "../../machine/shell-quote.ts";
import { noteSetUpPlace } from "../../machine/settings/set-up-places.ts";

/** `program`: the absolute path that the hooks will start. */
export type SetupIo = {
  out(text: string): void;
  err(text: string): void;
  ask?(prompt: string): Promise<string | undefined>;
  env: Record<string, string | undefined>;
  cwd: string;
  isTty: boolean;
  color: boolean;
  program: string;
};

const KNOWN = AGENTS.filter(isInstallable);
const NAMES = KNOWN.map(({ name }) => name).join(", ");

export type SetupRequest = {
  agents: string[];
  project: boolean;
  hold: boolean;
  "must-ask"?: boolean;
  remove: boolean;
  print: boolean;
  yes: boolean;
  json: boolean;
};

/** Contract: `out` and `err` get whole lines; the result is the exit code. */
export async function setup(request: SetupRequest, io: SetupIo): Promise<number> {
  try {
    return await apply(request, io);
  } catch (error) {
    if (!(error instanceof Error && (error instanceof ParleyError || "code" in error))) throw error;
    const known = error instanceof ParleyError ? error : new ParleyError("settings", error.message, { cause: error });
    io.err(request.json ? errorLine(known) : `parley setup: ${known.message}\n`);
    return ERRORS[known.code].exit;
  }
}

async function apply(flags: SetupRequest, io: SetupIo): Promise<number> {
  const agent = agentFor(flags);
  const install = await agent.install();
  refuseImpossible(flags, agent, install);
  const { hold, remove, "must-ask": mustAsk = false } = flags;
  const at = placeFor(install, flags.project, io);
  const plan = await planSetup(install, { at, program: io.program, hold, mustAsk, remove });
  const { path } = plan;
  if (!remove && !flags.json) await tellOfPlugins(agent, install, io);
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
  if (!remove) noteSetUpPlace(io.program, { agent: agent.name, path });
  const backup = await replaceFile(path, plan.before, plan.after);
  if (flags.json) return say(io, `${JSON.stringify({ ...result, applied: true, backup: backup ?? null })}\n`);
  const where = `(${path})${backup === undefined ? "" : `; backup: ${backup}`}`;
  if (flags.remove) return say(io, `✓ ${agent.title} no longer asks through Parley ${where}\n`);
  say(io, `✓ ${agent.title} asks through Parley now ${where}\n`);
  const running = install.isLive
    ? "Running sessions use it from their next question on."
    : "Sessions that run already must be started again.";
  return say(io, `${running}\nNext: ${tryIt(agent)}\n`);
}

/** Nothing is lost when both are there, but each of its hooks runs twice. */
async function tellOfPlugins({ name, title, program }: Agent, install: Install, io: SetupIo): Promise<void> {
  const [plugin] = (await install.hostPlugins?.(io)) ?? [];
  if (!plugin) return;
  const command = safeLine([program, ...plugin.args].map(shellWord).join(" "));
  io.err(`! ${title} has Parley as a plugin too. One is enough: ${command}, or parley setup ${name} --remove\n`);
}

function agentFor({ agents: [name, ...more] }: SetupRequest): Installable {
  const known = `Known agents: ${NAMES}.`;
  if (name === undefined) throw usage(`Which agent? ${known}`);
  const agent = KNOWN.find((each) => each.name === name);
  if (!agent) throw usage(`Unknown agent "${name}". ${known}`);
  if (more.length > 0) throw usage(`One agent at a time: "${more.join(" ")}" is one too many.`);
  return agent;
}

function refuseImpossible(flags: SetupRequest, { title }: Agent, { canMustAsk }: Install): void {
  if (flags.hold && !flags.project) throw usage("--hold is for one project: add --project.");
  if (flags["must-ask"] && !canMustAsk)
    throw usage(`${title} cannot be made to ask in every mode: see its own permission settings.`);
  if (flags.hold && flags.remove) throw usage("--remove takes out everything: leave out --hold.");
}

function placeFor({ settingsPath }: Install, project: boolean, { env, cwd }: SetupIo) {
  if (!project) return { env, cwd };
  const at = { env, cwd, project: topFolder(cwd) };
  const path = settingsPath(at);
  if (path !== settingsPath({ env, cwd })) return at;
  throw usage(`${path} is your own settings file, for every project. Run it inside a project.`);
}

async function agreed(diff: string[], io: SetupIo, json: boolean): Promise<boolean> {
  if (!io.isTty || !io.ask || json) {
    const why = json ? "--json does not ask" : "there is no terminal to ask on";
    throw usage(`Nothing was changed: ${why}. Add --yes to apply or --print to only see the change.`);
  }
  io.out(painted(diff, io));
  return /^y(es)?$/i.test((await io.ask("Apply this change? [y/N] "))?.trim() ?? "");
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
