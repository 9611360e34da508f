import { ParleyError } from "../../core/error.ts";
import type { TaskSettings } from "../../core/config/config.ts";
import type { Sandbox, SandboxNetwork } from "../../core/task/sandbox.ts";
import { runGit } from "../../machine/git/run-git.ts";
import { sandboxProblem } from "./bubblewrap.ts";

export type SandboxWish = { sandbox?: boolean | undefined; network?: SandboxNetwork | undefined };

/** What a task that is given now runs in. Contract: throws where a sandbox is wanted and none can be made. */
export async function sandboxFor(
  wish: SandboxWish,
  settings: TaskSettings,
  PATH: string,
): Promise<Sandbox | undefined> {
  const { sandbox: usual, sandbox_network: network, sandbox_read: read } = settings;
  if (!(wish.sandbox ?? usual !== false)) {
    if (wish.network !== undefined) throw new ParleyError("usage", "A network is named for a sandbox: add --sandbox");
    return undefined;
  }
  const command = Array.isArray(usual) ? { command: usual } : {};
  const problem = await sandboxProblem(command.command, PATH);
  if (problem !== undefined)
    throw new ParleyError(
      "usage",
      `The task was not started: it would have to run in a sandbox, and none can be made: ${problem}`,
    );
  return { ...command, network: wish.network ?? network, read };
}

/** Work in a repository is done in a worktree then: in the checkout itself its hooks and settings could be written. */
export async function needsWorktree(cwd: string): Promise<boolean> {
  return (await runGit(cwd, "rev-parse", "--git-dir")).ok;
}
