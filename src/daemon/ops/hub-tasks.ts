import type { GiveTask as GiveFromHub } from "../../hub-link/take-task.ts";
import { needsWorktree } from "../../runner/sandbox/wish.ts";
import { type GiveTask, USUAL_AGENT } from "./give-task.ts";

/**
 * Work from a hub: nothing of how it is done comes from there. In a repository it is done beside its person's checkout, with
 * this daemon's own environment.
 */
export const createHubTasks =
  (giveTask: GiveTask): GiveFromHub =>
  async ({ id, by, ...wanted }) => {
    const worktree = await needsWorktree(wanted.cwd);
    const order = { ...wanted, agent: USUAL_AGENT, worktree, priority: 0, review: false };
    return giveTask({ id, order, environment: {}, by });
  };
