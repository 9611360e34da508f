import { ParleyError } from "../../core/error.ts";
import { runGit, spawnGit } from "../../machine/git/run-git.ts";
import { gitSaid } from "../../machine/worktree/changes.ts";
import { lastSharedOf, noteShared } from "../../machine/worktree/own-git.ts";

/** A program in the sandbox, without a network, with this on its standard input. */
export type Enter = (command: string[], input: string) => Bun.Subprocess<"pipe", "pipe", "pipe">;

/** Git reads nothing of the person's there, and what it does must not be long. */
const LONGEST_MS = 120_000;
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * Brings the commits of an agent in a sandbox into the repository: as a pack that git makes in there and checks out here,
 * object by object. No git runs outside with what the agent may have written into its own git folder.
 */
export async function bringWork(root: string, enter: Enter): Promise<void> {
  const tip = await textOf(enter, ["git", "rev-parse", "--verify", "HEAD^{commit}"]);
  const before = await gitSaid(root, "rev-parse", "--verify", "HEAD^{commit}");
  if (tip === before || tip === lastSharedOf(root)) return;
  if (!COMMIT.test(tip)) throw new ParleyError("busy", "its git folder names no commit");
  const branch = await gitSaid(root, "symbolic-ref", "HEAD");
  const pack = enter(["git", "pack-objects", "--revs", "--stdout", "--quiet"], `${tip}\n^${before}\n`);
  const reader = spawnGit(root, ["index-pack", "--stdin", "--strict"], { env: process.env, stdin: "pipe" });
  const timer = setTimeout(() => pack.kill("SIGKILL"), LONGEST_MS);
  try {
    for await (const chunk of pack.stdout) await reader.stdin.write(chunk);
    await reader.stdin.end();
    const [made, read, why] = await Promise.all([
      pack.exited,
      reader.exited,
      reader.stderr.text(),
      reader.stdout.text(),
    ]);
    if (made !== 0 || read !== 0) throw new ParleyError("busy", `its commits cannot be read: ${why.trim()}`);
  } finally {
    clearTimeout(timer);
    pack.kill("SIGKILL");
  }
  // Nothing it reaches is missing, or git would fail on it later, in the person's hands.
  await gitSaid(root, "rev-list", "--objects", "--quiet", tip, "--not", before);
  await gitSaid(root, "update-ref", "-m", "from the sandbox of its task", branch, tip, before);
  await gitSaid(root, "reset", "--quiet");
  noteShared(root, tip);
}

/** What somebody committed in the worktree since is told to the git folder in the sandbox, by git in there. */
export async function bringBack(root: string, enter: Enter): Promise<void> {
  const tip = await gitSaid(root, "rev-parse", "--verify", "HEAD^{commit}");
  if (tip === lastSharedOf(root)) return;
  const branch = (await runGit(root, "symbolic-ref", "HEAD")).out.trim();
  await textOf(enter, ["git", "update-ref", branch, tip]);
  await textOf(enter, ["git", "symbolic-ref", "HEAD", branch]);
  await textOf(enter, ["git", "reset", "--quiet"]);
  noteShared(root, tip);
}

async function textOf(enter: Enter, command: string[]): Promise<string> {
  const child = enter(command, "");
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  try {
    const [out, why, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0)
      throw new ParleyError("busy", `${command.slice(0, 2).join(" ")} in its sandbox: ${why.trim() || code}`);
    return out.trim();
  } finally {
    clearTimeout(timer);
  }
}
