import type { Ask } from "../core/ask/ask.ts";
import { projectName } from "../core/hub-names.ts";
import { realPath } from "../machine/file/real-path.ts";
import type { Store } from "../store/store.ts";

/** Is it asked in one of these folders, or in a project of this name? A task counts where it was given, wherever its worktree lies. */
export async function isShared(
  { origin }: Ask,
  projects: readonly string[],
  store: Pick<Store, "task">,
): Promise<boolean> {
  if (projects.some((each) => !each.startsWith("/") && each === projectName(origin.project ?? ""))) return true;
  const task = origin.task === undefined ? undefined : await store.task(origin.task);
  return [origin.cwd, task?.order.cwd].some((cwd) => {
    const folder = cwd === undefined ? undefined : realPath(cwd);
    return folder !== undefined && projects.some((project) => isBelow(folder, project));
  });
}

const isBelow = (folder: string, project: string): boolean =>
  folder === project || folder.startsWith(project.endsWith("/") ? project : `${project}/`);
