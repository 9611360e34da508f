import { safeLine } from "../core/text.ts";
import type { Agent } from "./agent.ts";
import { claudeCode } from "./claude-code/claude-code.ts";

export const AGENTS: readonly Agent[] = [claudeCode];

export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** How people call it; asks from scripts carry the name they gave. */
export function titleOf(name: string): string {
  return agentNamed(name)?.title ?? (name === "parley" ? "Parley" : safeLine(name, { max: 40 }));
}
