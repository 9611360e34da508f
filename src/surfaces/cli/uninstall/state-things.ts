import { existsSync, lstatSync, readdirSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ID_LENGTH } from "../../../core/id.ts";
import { byteSize } from "../../../core/words/number.ts";
import { configPath } from "../../../machine/settings/config-file.ts";
import type { Paths } from "../../../machine/home.ts";
import { runGit } from "../../../machine/git/run-git.ts";
import { emptyTrash, removeWorktree, workIn } from "../../../machine/worktree/remove.ts";
import type { Env } from "./agent-things.ts";
import { stays, type Thing } from "./thing.ts";

/** What Parley keeps in its home beside the files that have a name of their own. Anything else there is not ours to delete. */
const ALSO =
  /^(metrics\.json|set-up\.json|link-declined|tasks|stopped\.\d+|daemon\.log\.\d+|bin|worktrees|inside|containers)$/;
const KEPT_ASIDE = /\.(set-aside-|before-|new$)|(-wal|-shm|-journal)$/;

const SHARED = new Set(["tasks", "worktrees", "bin", "brain"]);
const TASK = new RegExp(`^[2-9a-z]{${ID_LENGTH}}$`);

/** Questions, answers, logs and settings: asked about apart. Worktrees with work in them stay in any case. */
export async function stateThings(paths: Paths, env: Env, cwd: string): Promise<Thing[]> {
  const { home } = paths;
  const settings = configPath(env, cwd);
  const worktrees = await worktreeThings(join(home, "worktrees"));
  const ours = () => (existsSync(home) ? readdirSync(home).filter((name) => isOurs(name, paths)) : []);
  const names = ours();
  // Copies of the program go with the launcher.
  const kept = names.filter((name) => name !== basename(paths.programs));
  const about = `questions, answers, tasks and logs, ${byteSize(kept.reduce((sum, name) => sum + sizeOf(join(home, name)), 0))}`;
  const state: Thing = {
    kind: "state",
    path: home,
    about,
    async remove() {
      await emptyTrash(join(home, "worktrees"));
      // A daemon that was stopped since has left a word.
      for (const name of ours()) {
        const path = join(home, name);
        // Names that others may have too: only what is ours in them.
        const inside = name === "tasks" ? readdirSync(path).filter((id) => TASK.test(id)) : [];
        for (const id of inside) await rm(join(path, id), { recursive: true, force: true });
        if (SHARED.has(name)) await rmdir(path).catch(() => undefined);
        else await rm(path, { recursive: true, force: true });
      }
      await rmdir(home).catch(() => undefined);
    },
  };
  return [
    ...worktrees,
    ...(names.some((name) => !SHARED.has(name)) ? [state] : []),
    ...(existsSync(settings) && settings !== "/dev/null" ? [settingsThing(settings)] : []),
  ];
}

function settingsThing(path: string): Thing {
  const remove = async () => {
    await rm(path, { force: true });
    if (basename(dirname(path)) === "parley") await rmdir(dirname(path)).catch(() => undefined);
  };
  return { kind: "settings", path, about: "your settings", remove };
}

async function worktreeThings(folder: string): Promise<Thing[]> {
  if (!existsSync(folder)) return [];
  const roots = readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .map((name) => join(folder, name));
  return Promise.all(roots.map(worktreeThing));
}

async function worktreeThing(root: string): Promise<Thing> {
  const said = await runGit(root, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir");
  const [top = "", repository = ""] = said.out.split("\n");
  if (!said.ok || top !== root) return stays("worktree", root, "git does not know it");
  const branch = (await runGit(root, "symbolic-ref", "--quiet", "--short", "HEAD")).out.trim();
  const workdir = { path: root, root, repository, branch, base: "HEAD" };
  const why = branch.startsWith("parley/") ? await workIn(workdir) : "its branch is not Parley's";
  if (why !== undefined) return stays("worktree", root, why);
  // Looked at again: somebody may have worked there since it was shown.
  const remove = async () => void (await removeWorktree(workdir));
  return { kind: "worktree", path: root, about: "nothing is in it", remove };
}

function isOurs(name: string, paths: Paths): boolean {
  const named = new Set(Object.values(paths).map((path) => (path === paths.home ? "" : basename(path))));
  const base = name.replace(KEPT_ASIDE, "\0").split("\0")[0] ?? name;
  return ALSO.test(name) || named.has(name) || named.has(base) || ALSO.test(base);
}

function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
