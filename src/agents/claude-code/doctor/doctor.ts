import type { AgentDoctor } from "../../doctor.ts";
import { checkHooks } from "./hooks.ts";
import { readSettings } from "./settings.ts";
import { checkShadow } from "./shadow.ts";
import { checkClaudeCode } from "./version.ts";

export const doctor: AgentDoctor = async ({ env, cwd, program }) => {
  const [claude, settings] = await Promise.all([checkClaudeCode(env), readSettings({ env, cwd })]);
  const hooks = checkHooks(settings.files, { program, cwd, isInstalled: claude.installed !== undefined });
  return {
    findings: [claude.finding, ...hooks],
    settings: [...settings.findings, ...checkShadow(settings.files, env)],
    ...(claude.installed && { installed: claude.installed }),
    isSetUp: hooks.some(({ level }) => level === "ok"),
  };
};
