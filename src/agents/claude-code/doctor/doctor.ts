import type { AgentDoctor } from "../../capability/doctor.ts";
import { checkHooks, checkMustAsk } from "./hooks.ts";
import { readSettings } from "./settings.ts";
import { checkShadow } from "./shadow.ts";
import { checkClaudeCode } from "./version.ts";

export const doctor: AgentDoctor = async ({ env, cwd, program, mustAsk = [] }) => {
  const [claude, settings] = await Promise.all([checkClaudeCode(env), readSettings({ env, cwd })]);
  const hooks = checkHooks(settings.files, { program, cwd, isInstalled: claude.installed !== undefined });
  const isSetUp = hooks.some(({ level }) => level === "ok");
  return {
    findings: [claude.finding, ...hooks, ...(isSetUp ? checkMustAsk(settings.files, mustAsk) : [])],
    settings: [...settings.findings, ...checkShadow(settings.files, env)],
    ...(claude.installed && { installed: claude.installed }),
    isSetUp,
  };
};
