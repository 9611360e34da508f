import type { Ask } from "../core/ask/ask.ts";
import type { Config } from "../core/config/config.ts";
import type { AutopilotConfig, Mode } from "../core/config/autopilot.ts";
import { quietFor } from "../core/config/quiet.ts";
import { type CompiledRule, compileRules, type Rule } from "../core/autopilot/rule/rule.ts";
import type { LadderStep } from "../core/ask/proposal.ts";
import type { Effective } from "../machine/settings/config-file.ts";
import type { ProjectTrust } from "../machine/settings/project-trust.ts";

/** What holds for one Ask. */
export type Setting = {
  mode: Mode;
  values: AutopilotConfig;
  rules: readonly CompiledRule[];
  /** The person trusts this project's own file as it is: then its rules act. */
  trustsProject: boolean;
  /** The project's own file, and how many rules of it do not act. */
  project?: ProjectTrust & { rules: number; idle: number };
  top: string | undefined;
};
type Origin = Pick<Ask["origin"], "cwd" | "project" | "worktree" | "family">;

/** Contract: rules are compiled once for each time their file was read. */
export function createSettings(home: string) {
  const compiled = new WeakMap<readonly Rule[], CompiledRule[]>();

  function compile(rules: readonly Rule[], from: "user" | "project"): CompiledRule[] {
    const known = compiled.get(rules) ?? compileRules(rules.map((rule) => ({ ...rule, from })));
    compiled.set(rules, known);
    return known;
  }

  return ({ values: { autopilot: values }, apart, top, trust, held = [] }: Effective, origin: Origin): Setting => {
    const theirs = (apart.get("autopilot.rules") ?? []) as readonly Rule[];
    const trustsProject = trust?.state === "trusted";
    return {
      mode: modeOf(values.projects, origin, home) ?? values.mode,
      values,
      rules: [
        ...compile(values.rules, "user"),
        ...compile(trustsProject ? theirs : NONE, "project"),
        ...compile(held, "project"),
      ],
      trustsProject,
      ...(trust && { project: { ...trust, rules: theirs.length, idle: trustsProject ? 0 : theirs.length } }),
      top,
    };
  };
}

const NONE: readonly Rule[] = [];

/** Why rules of the project's own file do not act, where it has some. */
export function idleRules({ project }: Setting): LadderStep[] {
  if (!project || project.idle === 0) return [];
  const rules = project.idle === 1 ? "its 1 rule does not act" : `its ${project.idle} rules do not act`;
  return [{ step: "rule", result: "passed", why: `${distrust(project)}, so ${rules}: parley autopilot trust --file` }];
}

/** What is to be said about a file that is not trusted as it is. */
export function distrust({ file, state }: ProjectTrust): string {
  if (state === "link") return `${file} is a link, which is never trusted`;
  return state === "changed" ? `${file} changed since you trusted it` : `${file} is not trusted`;
}

/** A folder says more than a name, which any clone can have; the deepest folder says most. */
function modeOf(projects: AutopilotConfig["projects"], { cwd, project, worktree, family }: Origin, home: string) {
  const named = Object.entries(projects).map(([key, mode]) => ({ key: key.replace(/^~(?=\/|$)/, home), mode }));
  const [folder] = named
    .filter(({ key }) => key.startsWith("/") && `${cwd ?? ""}/`.startsWith(`${trimmed(key)}/`))
    .toSorted((a, b) => b.key.length - a.key.length);
  const byName = [worktree, project, family].flatMap((name) => named.find(({ key }) => key === name) ?? []);
  return (folder ?? byName[0])?.mode;
}

const trimmed = (folder: string) => folder.replace(/\/+$/, "");

export function isQuiet({ quiet }: AutopilotConfig, now: number): boolean {
  const local = new Date(now);
  return quietFor(quiet, local.getHours() * 60 + local.getMinutes()) > 0;
}

/** Nearly always: then a question costs no more than this. */
export const isOffIn = ({ autopilot: { mode, projects } }: Pick<Config, "autopilot">): boolean =>
  mode === "off" && Object.values(projects).every((each) => each === "off");
