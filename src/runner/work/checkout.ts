import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { Workdir } from "../../core/task/task.ts";
import { realTopOf } from "../../machine/git/project-top.ts";
import { runGit } from "../../machine/git/run-git.ts";
import { gitSaid } from "../../machine/worktree/changes.ts";

/** A person's own files of a repository: where they lie, and the commit they are at. */
export type Checkout = { top: string; gitDir: string; head: string };

/** What git leaves in its folder while a person is in the middle of something. */
const UNDER_WAY: [file: string, what: string][] = [
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
];

/** The checkout that a task was started in, where work can be brought now. */
export async function findCheckout(cwd: string, { repository }: Pick<Workdir, "repository">): Promise<Checkout> {
  const top = await realTopOf(nearestFolder(cwd));
  const said = top === undefined ? undefined : await runGit(top, "rev-parse", "--path-format=absolute", ...ASKED);
  const [toplevel = "", gitDir = "", common = ""] = said?.out.split("\n") ?? [];
  // A repository's own settings can name another folder for its files: that is not where the person works.
  if (!said?.ok || top === undefined || realpathSync(toplevel) !== top || !isSame(common, repository))
    throw new ParleyError("busy", `There is no checkout of ${dirname(repository)} at ${cwd} any more`);
  const begun = UNDER_WAY.find(([file]) => existsSync(join(gitDir, file)));
  if (begun)
    throw new ParleyError("busy", `A ${begun[1]} is under way in ${top}: finish it first. Nothing was changed`);
  return { top, gitDir, head: await gitSaid(top, "rev-parse", "--verify", "HEAD^{commit}") };
}

const ASKED = ["--show-toplevel", "--git-dir", "--git-common-dir"];

/** The subfolder it was started in may be gone. */
function nearestFolder(cwd: string): string {
  let folder = cwd;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

const isSame = (a: string, b: string) => existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
