import { startDaemon } from "../../../../client/start-daemon.ts";
import { isUp } from "../../../../client/wire.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { unifiedDiff } from "../../../../core/text/unified-diff.ts";
import { replaceFile } from "../../../../machine/file/atomic-file.ts";
import { writeLauncher } from "../../../../machine/program/launcher.ts";
import { makePrivateDir } from "../../../../machine/file/private-dir.ts";
import { runQuietly } from "../../../../machine/service/run-quietly.ts";
import type { Service } from "../../../../machine/service/service.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";
import { serviceOf, textOf } from "../../own-service.ts";
import { stopDaemon } from "./down.ts";

const CHANGE = {
  print: { description: "only show it" },
  yes: { short: "y", description: "do not ask" },
  json: { description: "print it as JSON (with --yes or --print)" },
} as const;

export const command = defineCommand({
  about:
    "Lets the system keep Parley running: systemd on Linux, launchd on macOS, for you alone. Nothing needs it: the first command or hook starts the daemon, too.",
  subcommands: [
    { name: "status", summary: "whether there is one, and whether it runs", load: async () => ({ command: status }) },
    { name: "install", summary: "show it, write it and start it", load: async () => ({ command: install }) },
    { name: "remove", summary: "stop it and take it out", load: async () => ({ command: remove }) },
  ],
  run: tell,
});

const status = defineCommand({ about: "Whether there is a service, and whether it runs.", run: tell });

const install = defineCommand({
  about: "Shows the service, writes it when you agree, and starts it in place of a daemon that runs already.",
  options: CHANGE,
  async run(input, context) {
    const { terminal, paths } = context;
    const service = ours(context);
    if (!input.print) await refuseAgents("service", context);
    const before = textOf(service);
    if (before !== undefined && !before.includes(paths.program))
      throw new ParleyError("usage", `${service.path} is not of this Parley. Move it away first`);
    const wasThere = before === service.text;
    if (input.print) return shown(service, before, input.json, context);
    if (!wasThere && !(await agreed(service, before, input, context))) return 1;
    makePrivateDir(paths.home);
    await writeLauncher(paths);
    if (!wasThere) await replaceFile(service.path, before, service.text);
    const undo = async (step: readonly string[], failed: string) => {
      // What cannot be started now would be found by the next login.
      if (before === undefined) await replaceFile(service.path, service.text, undefined);
      throw new ParleyError("settings", `${step.join(" ")}: ${safeLine(failed, { max: 300 })}. Nothing was installed`);
    };
    for (const step of service.prepare) {
      const failed = await runQuietly(step, terminal.env);
      if (failed !== undefined) await undo(step, failed);
    }
    const ran = await stopDaemon(paths, { force: false, whileHere: true });
    const failed = await runQuietly(service.start, terminal.env);
    if (failed !== undefined) {
      if (ran) await startDaemon(paths, { patienceMs: 10_000, evenIfStopped: true });
      await undo(service.start, failed);
    }
    if (input.json) terminal.out(jsonLine({ ...about(service), installed: true }));
    else
      terminal.out(
        `✓ ${service.manager} keeps Parley running (${service.path})\n${service.note}\nIts log: ${service.log}\n`,
      );
    return 0;
  },
});

const remove = defineCommand({
  about: "Takes the service out. Parley goes on in the background, as it did without one.",
  options: { yes: CHANGE.yes },
  async run({ yes, json }, context) {
    const { terminal } = context;
    const service = ours(context);
    await refuseAgents("service", context);
    const before = textOf(service);
    if (before === undefined || !before.includes(context.paths.program)) {
      terminal.out(json ? jsonLine({ ...about(service), removed: false }) : `Nothing to remove: ${service.path}\n`);
      return 0;
    }
    if (!yes && (json || !terminal.ask)) throw new ParleyError("usage", "Nothing was removed: add --yes");
    if (!yes && !isYes(await terminal.ask?.(`Remove ${service.path}? [y/N] `)))
      return (terminal.err("Nothing was removed.\n"), 1);
    const ran = await isUp(context.paths);
    for (const step of service.stop.slice(0, 1)) await runQuietly(step, terminal.env);
    await replaceFile(service.path, before, undefined);
    for (const step of service.stop.slice(1)) await runQuietly(step, terminal.env);
    // Agents may wait: it goes on as it did without a service.
    if (ran) await startDaemon(context.paths, { patienceMs: 10_000, evenIfStopped: true });
    terminal.out(json ? jsonLine({ ...about(service), removed: true }) : `✓ Removed: ${service.path}\n`);
    return 0;
  },
});

async function tell({ json }: { json: boolean }, context: Context): Promise<number> {
  const { terminal, paths } = context;
  const service = ours(context);
  const text = textOf(service);
  const isInstalled = text?.includes(paths.program) === true;
  const [isActive, runs] = [(await runQuietly(service.isActive, terminal.env)) === undefined, await isUp(paths)];
  if (json)
    return (terminal.out(jsonLine({ ...about(service), installed: isInstalled, active: isActive, running: runs })), 0);
  const daemon = runs ? "Parley is running" : "Parley is not running";
  if (!isInstalled) {
    const other = text === undefined ? "" : `; ${service.path} is not of this Parley`;
    terminal.out(`No service${other}. ${daemon}. Make one: parley service install\n`);
  } else {
    const state = isActive ? `${service.manager} runs it` : `${service.manager} does not run it`;
    terminal.out(`${service.path}: ${state}. ${daemon}.\nIts log: ${service.log}\n`);
    if (text !== service.text) terminal.out("It is not what parley service install would write now.\n");
  }
  return 0;
}

function ours({ terminal: { env }, paths }: Context): Service {
  const service = serviceOf(paths, env);
  if (!service)
    throw new ParleyError("settings", `Parley knows no services of ${process.platform}. Start it: parley up`);
  return service;
}

const about = ({ manager, path, log }: Service) => ({ manager, path, log });
const isYes = (said: string | undefined) => /^y(es)?$/i.test(said?.trim() ?? "");

function shown(service: Service, before: string | undefined, json: boolean, { terminal }: Context): number {
  const diff = unifiedDiff({ before: before ?? "", after: service.text }, service.path).join("\n");
  terminal.out(
    json ? jsonLine({ ...about(service), text: service.text, changed: before !== service.text }) : `${diff}\n`,
  );
  return 0;
}

async function agreed(
  service: Service,
  before: string | undefined,
  { yes, json }: { yes: boolean; json: boolean },
  context: Context,
): Promise<boolean> {
  if (yes) return true;
  const { terminal } = context;
  if (json || !terminal.ask)
    throw new ParleyError("usage", "Nothing was changed: add --yes to install it, or --print to only see it");
  shown(service, before, false, context);
  if (isYes(await terminal.ask("Install it? [y/N] "))) return true;
  terminal.err("Nothing was changed.\n");
  return false;
}
