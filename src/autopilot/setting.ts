import type { Ask } from "../core/ask.ts";
import type { AutopilotConfig, Mode } from "../core/config-autopilot.ts";
import { quietFor } from "../core/config-quiet.ts";
import { type CompiledRule, compileRules, type Rule } from "../core/autopilot/rule.ts";
import type { Effective } from "../machine/config-file.ts";

/** What holds for one Ask. */
export type Setting = {
  mode: Mode;
  values: AutopilotConfig;
  rules: readonly CompiledRule[];
  /** The person named this project's folder: then rules of its own file may answer. */
  trustsProject: boolean;
  top: string | undefined;
};
type Origin = Pick<Ask["origin"], "cwd" | "project" | "family">;

/** Contract: rules are compiled once for each time their file was read. */
export function createSettings(home: string) {
  const compiled = new WeakMap<readonly Rule[], CompiledRule[]>();

  function compile(rules: readonly Rule[], from: "user" | "project"): CompiledRule[] {
    const known = compiled.get(rules) ?? compileRules(rules.map((rule) => ({ ...rule, from })));
    compiled.set(rules, known);
    return known;
  }

  return ({ values: { autopilot: values }, apart, top }: Effective, origin: Origin): Setting => {
    const named = modeOf(values.projects, origin, top, home);
    const theirs = (apart.get("autopilot.rules") ?? []) as readonly Rule[];
    return {
      mode: named?.mode ?? values.mode,
      values,
      rules: [...compile(values.rules, "user"), ...compile(theirs, "project")],
      trustsProject: named?.isTop ?? false,
      top,
    };
  };
}

/** A folder says more than a name, which any clone can have; the deepest folder says most. */
function modeOf(projects: AutopilotConfig["projects"], { cwd, project, family }: Origin, top = cwd, home = "") {
  const named = Object.entries(projects).map(([key, mode]) => ({ key: key.replace(/^~(?=\/|$)/, home), mode }));
  const [folder] = named
    .filter(({ key }) => key.startsWith("/") && `${cwd ?? ""}/`.startsWith(`${trimmed(key)}/`))
    .toSorted((a, b) => b.key.length - a.key.length);
  if (folder) return { mode: folder.mode, isTop: trimmed(folder.key) === top };
  const found = named.find(({ key }) => key === project) ?? named.find(({ key }) => key === family);
  return found && { mode: found.mode, isTop: false };
}

const trimmed = (folder: string) => folder.replace(/\/+$/, "");

export function isQuiet({ quiet }: AutopilotConfig, now: number): boolean {
  const local = new Date(now);
  return quietFor(quiet, local.getHours() * 60 + local.getMinutes()) > 0;
}
