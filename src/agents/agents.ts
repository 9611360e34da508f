import { safeLine } from "../core/text/text.ts";
import type { Agent } from "./agent.ts";
import { guarded } from "./guarded.ts";
import type { Install } from "./capability/install.ts";
import { acp } from "./acp/acp.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { codex } from "./codex/codex.ts";
import { copilot } from "./copilot/copilot.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";
import { pi } from "./pi/pi.ts";
import { qwen } from "./qwen/qwen.ts";

export const AGENTS: readonly Agent[] = [claudeCode, opencode, codex, copilot, gemini, qwen, pi, acp].map(guarded);

export type Installable = Agent & { install: () => Promise<Install> };
export const isInstallable = (agent: Agent): agent is Installable => agent.install !== undefined;

export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** The program as the shell finds it, by the first of its names that is there. */
export function programOf({ program, otherPrograms = [] }: Agent, path = ""): string | undefined {
  return [program, ...otherPrograms].flatMap((name) => Bun.which(name, { PATH: path }) ?? [])[0];
}

/** The session of an agent that a process with this environment was started inside, if any. */
export function sessionAround(env: Record<string, string | undefined>): string | undefined {
  return AGENTS.map((agent) => agent.sessionIn(env)).find((found) => found !== undefined);
}

/** How people call it; asks from scripts carry the name they gave. */
export function titleOf(name: string): string {
  return agentNamed(name)?.title ?? (name === "parley" ? "Parley" : safeLine(name, { max: 40 }));
}
