import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { realTopOf } from "../../machine/git/project-top.ts";
import { realPath } from "../../machine/file/real-path.ts";

/** Where a call would run, and how long may be looked. */
export type Place = {
  cwd: string;
  /** The repository's top, without links; else the folder itself. */
  top: string;
  isRepository: boolean;
  signal: AbortSignal;
  /** So long is counted; as performance.now has it. */
  until: number;
  absolute(path: string, from?: string): string;
  /** As a person at the project calls it. */
  shown(path: string): string;
  end(): void;
};

export async function openPlace(cwd: string, patienceMs: number): Promise<Place> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), patienceMs);
  // Counting is what may take longest, and is worth least.
  const until = performance.now() + patienceMs / 2;
  const found = await realTopOf(cwd);
  const absolute = (path: string, from = ""): string => {
    const own = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
    return isAbsolute(own) ? own : resolve(cwd, from, own);
  };
  return {
    cwd,
    top: found ?? realPath(cwd) ?? cwd,
    isRepository: found !== undefined,
    signal: over.signal,
    until,
    absolute,
    shown(path) {
      const inside = relative(cwd, absolute(path));
      return inside === "" || inside.startsWith("..") ? absolute(path) : inside;
    },
    end() {
      clearTimeout(timer);
      over.abort();
    },
  };
}
