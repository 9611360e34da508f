import { existsSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { Workdir } from "../../core/task/task.ts";
import { commandsWith } from "../../machine/process/process.ts";
import { runGit } from "../../machine/git/run-git.ts";
import { halfMade, runGitAmongWorktrees } from "../../machine/worktree/half-made.ts";

/** A git that a killed daemon started goes on without it. */
const PATIENCE_MS = 60_000;
const EVERY_MS = 100;

/**
 * Removes a worktree and a branch in which nobody ever worked, however much of them was made: its git may have been killed
 * anywhere, or still be at it.
 */
export async function discardWorktree({ root, repository, branch, base }: Workdir): Promise<void> {
  for (let waited = 0; commandsWith(root).length > 0; waited += EVERY_MS) {
    if (waited > PATIENCE_MS)
      throw new ParleyError("busy", `--worktree: an earlier attempt is still working in ${root}. Try again later`);
    await Bun.sleep(EVERY_MS);
  }
  const among = (...args: string[]) => runGitAmongWorktrees({ repository, folder: dirname(root) }, () => args);
  if (existsSync(repository)) {
    await among("worktree", "unlock", root);
    await among("worktree", "remove", "--force", "--force", root);
  }
  await rm(root, { recursive: true, force: true });
  if (!existsSync(repository)) return;
  for (const name of halfMade(repository, root)) await rm(name, { recursive: true, force: true });
  await runGit(repository, "worktree", "prune");
  // Left by a git that was killed; the branch is ours alone.
  rmSync(join(repository, "refs/heads", `${branch}.lock`), { force: true });
  const own = await runGit(repository, "rev-list", "--count", branch, "--not", base);
  if (own.ok && Number(own.out) === 0) await among("branch", "--delete", "--force", branch);
}
