import { ParleyError } from "../../core/error.ts";
import { counted } from "../../core/words/number.ts";
import { runGit, runGitWith } from "../../machine/git/run-git.ts";
import { gitSaid } from "../../machine/worktree/changes.ts";
import type { Checkout } from "./checkout.ts";
import { lastLine, type Snapshot, treeOf } from "../../machine/worktree/snapshot.ts";

/** What the checkout is to become: `commit` is checked out, and its files are those of `tree`. */
export type ApplyPlan = { commit: string; tree: string; commits: number };

/** For commits that no person is asked about. */
export const SOMEBODY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Parley"],
    [`GIT_${who}_EMAIL`, "parley@localhost"],
  ]),
);
const NAMED = 5;

/**
 * Commits as with `git merge`: forward where that is enough, else one merge commit. What was not committed comes on top.
 * Contract: only adds objects; the checkout stays as it is. Throws where both sides changed the same lines.
 */
export async function planApply({ top, head }: Checkout, { tip, tree }: Snapshot, branch: string): Promise<ApplyPlan> {
  const commits = Number(await gitSaid(top, "rev-list", "--count", tip, "--not", head));
  const commit = commits === 0 ? head : await joined();
  const isCommitted = tree === (await treeOf(top, tip));
  if (isCommitted) return { commit, commits, tree: await treeOf(top, commit) };
  if (commit === tip) return { commit, commits, tree };
  const loose = await runGitWith(top, ["commit-tree", tree, "-p", tip, "-m", "not committed"], { env: SOMEBODY });
  if (!loose.ok) throw new ParleyError("busy", lastLine(loose.err));
  return { commit, commits, tree: await merged(commit, loose.out.trim()) };

  async function joined(): Promise<string> {
    if ((await runGit(top, "merge-base", "--is-ancestor", head, tip)).ok) return tip;
    const both = await merged(head, tip);
    const made = await runGit(top, "commit-tree", both, "-p", head, "-p", tip, "-m", `Merge branch '${branch}'`);
    if (!made.ok) throw new ParleyError("busy", `A merge commit cannot be made: ${lastLine(made.err)}`);
    return made.out.trim();
  }

  async function merged(ours: string, theirs: string): Promise<string> {
    const { code, out, err } = await runGit(
      top,
      "merge-tree",
      "--write-tree",
      "-z",
      "--name-only",
      ...QUIET,
      ours,
      theirs,
    );
    const [result = "", ...files] = out.split("\0").filter(Boolean);
    if (code === 0) return result;
    if (code === 1) throw conflict(files, branch);
    if (code === 129)
      throw new ParleyError("busy", "Your checkout went on meanwhile: joining both needs git 2.38 or newer");
    throw new ParleyError("busy", `git cannot merge it: ${lastLine(err)}`);
  }
}

const QUIET = ["--no-messages"];

function conflict(files: readonly string[], branch: string): ParleyError {
  return new ParleyError(
    "busy",
    `It conflicts with your checkout in ${listed(files)}. Nothing was changed. Merge by hand: git merge ${branch}`,
    { details: { files } },
  );
}

/** `a, b and 3 more files`. */
export function listed(files: readonly string[]): string {
  const more = files.length - NAMED;
  return `${files.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${counted(more, "more file")}` : ""}`;
}
