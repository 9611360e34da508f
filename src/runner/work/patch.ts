import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { Workdir } from "../../core/task/task.ts";
import { runGitWith } from "../../machine/git/run-git.ts";
import { objectsIn, snapshotOf } from "../../machine/worktree/snapshot.ts";

/** What a person reads; more is for git itself. */
const LARGEST = 1024 * 1024;
const PATCH = ["-r", "-p", "--find-renames", "--no-color", "--no-ext-diff", "--no-textconv"];

export type Patch = { patch: string; isCut: boolean };

/** All that a worktree changed since its base, committed or not, as a patch. Contract: leaves no trace in the repository. */
export async function readPatch(workdir: Workdir): Promise<Patch> {
  const apart = mkdtempSync(join(tmpdir(), "parley-diff-"));
  try {
    const found = await snapshotOf(workdir, { apart });
    if (!found) return { patch: "", isCut: false };
    const env = objectsIn(apart, workdir.repository);
    const said = await runGitWith(workdir.repository, ["diff-tree", ...PATCH, workdir.base, found.tree], { env });
    if (!said.ok) throw new ParleyError("busy", `git cannot compare it with its beginning: ${said.err}`);
    const isCut = said.isCut || said.out.length > LARGEST;
    return { patch: isCut ? wholeLines(said.out.slice(0, LARGEST)) : said.out, isCut };
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

const wholeLines = (text: string) => text.slice(0, text.lastIndexOf("\n") + 1);
