import { type Project, projectOf } from "../machine/git/git.ts";
import type { Clock } from "./inbox.ts";

/** Several hooks come for one tool call, and each names its directory; a branch does not change between them. */
const FRESH_MS = 1000;
const MOST_KNOWN = 1000;
export type Projects = (cwd: string) => Promise<Project>;

export function createProjects(now: Clock): Projects {
  const known = new Map<string, { at: number; project: Promise<Project> }>();
  return (cwd) => {
    const found = known.get(cwd);
    if (found && Math.abs(now() - found.at) < FRESH_MS) return found.project;
    if (known.size >= MOST_KNOWN) known.clear();
    const project = projectOf(cwd);
    known.set(cwd, { at: now(), project });
    return project;
  };
}
