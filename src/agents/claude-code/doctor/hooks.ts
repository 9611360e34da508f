import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { hookKind, isMustAsk, PARLEY_COMMAND, planInstall } from "../install.ts";
import type { SettingsFile } from "./settings.ts";
import { counted } from "../../../core/words/number.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";

type Hook = { event: string; matcher: string | undefined; command: string; timeout: number | undefined };

const SETUP = "parley setup claude-code";
const LOOSE = /(?:^|[\s'"/=])parley['"]?\s+hook\s+\w/;

/** Whether Claude Code starts this Parley at everything that happens to a question. `program` is what hooks should start. */
export function checkHooks(
  files: readonly SettingsFile[],
  { program, cwd, isInstalled }: { program: string; cwd: string; isInstalled: boolean },
): Finding[] {
  const found = files.map((file) => ({ file, hooks: hooksOf(file).filter(({ command }) => isParley(command)) }));
  const inUse = found.filter(({ hooks }) => hooks.length > 0);
  const plugin = pluginIn(files);
  if (inUse.length === 0 && plugin !== undefined) return [ok("hooks", `its plugin ${plugin} starts Parley`)];
  if (inUse.length === 0) {
    const say = isInstalled ? problem : note;
    return [say("hooks", "Claude Code does not ask through Parley: no settings file has its hooks", SETUP)];
  }
  const twice =
    plugin === undefined
      ? []
      : [
          note(
            "hooks",
            `its plugin ${plugin} starts Parley too: each question is asked once all the same`,
            `claude plugin uninstall ${plugin}`,
          ),
        ];
  const each = inUse.map(({ file, hooks }) => {
    const wrong = wrongWith(hooks, program);
    if (wrong.length > 0) return problem("hooks", `${file.path}: ${wrong.join("; ")}`, fixFor(file, hooks));
    const top = dirname(dirname(file.path));
    if (file.source === "project" && top !== cwd)
      return note("hooks", `${file.path} counts only for sessions started in ${top}`, `${SETUP}, for every folder`);
    const mode = isHold(hooks) ? ", in hold mode" : "";
    return ok("hooks", `${hooks.length} in ${file.path} start this Parley${mode}`);
  });
  return [...each, ...twice];
}

/** Of whatever marketplace: `parley@…`. A later file may switch it off. */
function pluginIn(files: readonly SettingsFile[]): string | undefined {
  const all = Object.assign({}, ...files.map(({ settings }) => settings.enabledPlugins ?? {})) as Record<
    string,
    unknown
  >;
  return Object.keys(all).find((name) => name.startsWith("parley@") && all[name] === true);
}

/** Patterns that ask in every mode need a hook before every call. */
export function checkMustAsk(files: readonly SettingsFile[], patterns: readonly string[]): Finding[] {
  const hooks = files.flatMap(hooksOf);
  if (patterns.length === 0 || hooks.some(({ command }) => isMustAsk(command))) return [];
  const what = `${counted(patterns.length, "pattern")} in approvals.must_ask`;
  const words = `${what}, but no hook looks before each call: in bypass and auto mode nothing is asked`;
  return [note("must-ask", words, `${SETUP} --must-ask`)];
}

/** In words, each difference to what `parley setup` would write. */
function wrongWith(hooks: readonly Hook[], program: string): string[] {
  const wanted = wantedHooks(
    program,
    isHold(hooks),
    hooks.some(({ command }) => isMustAsk(command)),
  );
  const missing = wanted.filter(({ event }) => !hooks.some((hook) => hook.event === event)).map(({ event }) => event);
  const others = [...new Set(hooks.map(({ command }) => programIn(command)))].filter((path) => path !== program);
  const differ = (is: (a: Hook, b: Hook) => boolean) =>
    hooks.flatMap((hook) => {
      const right = wanted.find(
        ({ event, command }) => event === hook.event && hookKind(command) === hookKind(hook.command),
      );
      return right && is(hook, right) ? [{ hook, right }] : [];
    });
  const timeouts = differ((a, b) => a.timeout !== b.timeout);
  const matchers = differ((a, b) => a.matcher !== b.matcher);
  const forms = differ((a, b) => programIn(a.command) === program && a.command !== b.command);
  const list = (all: { hook: Hook }[]) => [...new Set(all.map(({ hook }) => hook.event))].join(", ");
  return [
    ...others.map((path) =>
      isExecutable(path) ? `the hooks start another Parley (${path})` : `the hooks start ${path}, which is gone`,
    ),
    ...(missing.length > 0 ? [`no hook for ${missing.join(", ")}`] : []),
    ...timeouts.map(
      ({ hook, right }) => `${hook.event} has a timeout of ${hook.timeout ?? "no"} s instead of ${right.timeout}`,
    ),
    ...(matchers.length > 0 ? [`another matcher at ${list(matchers)}`] : []),
    ...(forms.length > 0 ? [`an old form of the command at ${list(forms)}`] : []),
  ];
}

function fixFor({ source, path }: SettingsFile, hooks: readonly Hook[]): string {
  if (source === "user") return SETUP;
  if (source === "project") return `${SETUP} --project${isHold(hooks) ? " --hold" : ""}`;
  return `remove Parley's hooks from ${path}, then: ${SETUP}`;
}

/** From the plan itself, so that there is one table of hooks. */
function wantedHooks(program: string, hold: boolean, mustAsk: boolean): Hook[] {
  const { after } = planInstall({ text: undefined, program, hold, mustAsk, remove: false, file: "" });
  const settings = JSON.parse(after ?? "{}") as SettingsFile["settings"];
  return hooksOf({ source: "user", path: "", settings });
}

function hooksOf({ settings }: SettingsFile): Hook[] {
  return Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks }) =>
      hooks.flatMap(({ command, timeout }) => (command === undefined ? [] : { event, matcher, command, timeout })),
    ),
  );
}

const isParley = (command: string) => PARLEY_COMMAND.test(command) || LOOSE.test(command);
const isHold = (hooks: readonly Hook[]) => hooks.some(({ command }) => command.includes(" --hold"));

function programIn(command: string): string {
  const word = PARLEY_COMMAND.exec(command)?.[2] ?? /(\S*parley['"]?)\s+hook\s/.exec(command)?.[1] ?? command;
  if (/^'.*'$/s.test(word)) return word.slice(1, -1).replaceAll(`'\\''`, "'");
  return word.replaceAll(/^"|"$/g, "");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
