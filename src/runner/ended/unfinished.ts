import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Workdir } from "../../core/task/task.ts";
import { insideOf } from "../../machine/home.ts";
import { discardWorktree } from "../work/discard-worktree.ts";

type Unfinished = { workdir?: Workdir };

/**
 * What is made before a task is, and removed after it is none any more, is named on disk meanwhile: a daemon that is
 * killed in between leaves nothing that nobody knows of.
 */
export function createUnfinished(home: string) {
  const folderOf = (id: string) => join(home, "tasks", id);
  const noteOf = (id: string) => join(folderOf(id), "unfinished.json");

  return {
    /** Contract: on disk before anything of it is made or removed. */
    begin(id: string, unfinished: Unfinished = {}): void {
      mkdirSync(folderOf(id), { recursive: true, mode: 0o700 });
      const file = openSync(noteOf(id), "w", 0o600);
      try {
        writeSync(file, JSON.stringify(unfinished));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    /** The task is there, and everything with it. */
    end: (id: string): void => rmSync(noteOf(id), { force: true }),
    ids: (): string[] => namesIn(join(home, "tasks")).filter((id) => existsSync(noteOf(id))),
    /** There is no such task: nothing of it stays. */
    async clear(id: string): Promise<void> {
      if (!existsSync(noteOf(id))) return;
      const { workdir } = read(noteOf(id));
      if (workdir) await discardWorktree(workdir);
      await rm(insideOf(home, id), { recursive: true, force: true });
      await rm(folderOf(id), { recursive: true, force: true });
    },
  };
}

/** None also where it cannot be read: the daemon's start is no place to fail for that. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Half a note is of a moment when nothing was made yet. */
function read(path: string): Unfinished {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Unfinished;
  } catch {
    return {};
  }
}
