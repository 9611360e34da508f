import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawnGit } from "../machine/git/run-git.ts";

/** A small project with one commit: agents treat a folder without a repository differently. */
export async function createGitProject(project: string): Promise<void> {
  await mkdir(project);
  await writeFile(join(project, "README.md"), "# A project\n");
  await git(project, "init", "--quiet", "--initial-branch=main");
  await git(project, "add", ".");
  await git(project, "commit", "--quiet", "--message=start");
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  // Without maintenance: that would go on in the background, in a folder that may be removed by then.
  const settings: [string, string][] = [
    ["user.name", "dev"],
    ["user.email", "dev@localhost"],
    ["maintenance.auto", "false"],
    ["gc.auto", "0"],
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const child = spawnGit(cwd, args, { settings, env, stdin: "ignore" });
  const problem = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`git ${args[0]} failed in ${cwd}: ${problem.trim()}`);
}
