import { existsSync } from "node:fs";

/** Why the lab cannot run this agent here, in words for a person; undefined when it can. */
export function missingForLab(program: string): string | undefined {
  const tool = ["tmux", "git", "ps"].find((name) => Bun.which(name) === null);
  if (tool !== undefined) return `${tool} is not installed`;
  if (!existsSync(program)) return `there is no agent at ${program}`;
  return undefined;
}
