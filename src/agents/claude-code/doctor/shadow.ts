import type { SettingsFile } from "./settings.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";

const ADMIN = "ask whoever administers this machine to allow Parley's hooks";
/** Each of them makes Claude Code run no hooks at all (seen with 2.1.197 and 2.1.325). */
const BARE = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"];

/** What keeps good hooks from doing their work. `files` are weakest first. */
export function checkShadow(files: readonly SettingsFile[], env: Record<string, string | undefined>): Finding[] {
  const findings = [...disabled(files), ...managed(files), ...denied(files), ...impatient(files), ...bare(env)];
  return findings.length > 0 ? findings : [ok("settings", "nothing keeps the hooks from running")];
}

function disabled(files: readonly SettingsFile[]): Finding[] {
  const last = files.findLast(({ settings }) => settings.disableAllHooks !== undefined);
  if (last?.settings.disableAllHooks !== true) return [];
  const fix = last.source === "managed" ? ADMIN : `remove disableAllHooks from ${last.path}`;
  return [problem("settings", `${last.path} sets disableAllHooks: no hook runs`, fix)];
}

function managed(files: readonly SettingsFile[]): Finding[] {
  return files
    .filter(({ source }) => source === "managed")
    .flatMap(({ path, settings: { allowManagedHooksOnly, strictPluginOnlyCustomization: strict } }) => {
      const key = allowManagedHooksOnly
        ? "allowManagedHooksOnly"
        : strict === true || (Array.isArray(strict) && strict.includes("hooks"))
          ? "strictPluginOnlyCustomization"
          : undefined;
      return key === undefined ? [] : [problem("settings", `${path} sets ${key}: your own hooks do not run`, ADMIN)];
    });
}

function denied(files: readonly SettingsFile[]): Finding[] {
  return files
    .filter(({ settings }) => settings.permissions?.deny?.includes("AskUserQuestion"))
    .map(({ path }) =>
      problem(
        "settings",
        `${path} denies AskUserQuestion: Claude Code asks nothing`,
        `remove it from permissions.deny in ${path}`,
      ),
    );
}

function impatient(files: readonly SettingsFile[]): Finding[] {
  const last = files.findLast(({ settings }) => settings.askUserQuestionTimeout !== undefined);
  const timeout = last?.settings.askUserQuestionTimeout;
  if (!last || timeout === "never") return [];
  const what = `${last.path} sets askUserQuestionTimeout: Claude Code continues without an answer after ${String(timeout)}`;
  return [note("settings", what, `set it to "never" in ${last.path}`)];
}

function bare(env: Record<string, string | undefined>): Finding[] {
  return BARE.filter((name) => !["", "0", "false", undefined].includes(env[name])).map((name) =>
    problem("settings", `${name} is set in this shell: Claude Code started here runs no hooks`, `unset ${name}`),
  );
}
