import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Headless, SandboxNeeds } from "../../agents/capability/headless.ts";
import { ParleyError } from "../../core/error.ts";
import type { Sandbox } from "../../core/task/sandbox.ts";
import type { Task } from "../../core/task/task.ts";
import { configPath } from "../../machine/settings/config-file.ts";
import { insideOf } from "../../machine/home.ts";
import { programFiles } from "../../machine/self-command.ts";
import { isWithin, type Mount, mountsOf, presentIn, systemMounts } from "./mount.ts";
import { ownGitOf } from "../../machine/worktree/own-git.ts";

/** Where a task in a sandbox finds what it sees of Parley. */
export const INSIDE = "/run/parley";

/** What a run's supervisor needs to know to make its sandbox. */
export type SandboxPlan = {
  sandbox: Sandbox;
  /** Parley's own home, which is never seen. */
  home: string;
  inside: string;
  /** What of Parley's lies elsewhere, and is never seen either. */
  hidden: string[];
  /** The folder that can be written: the worktree, or what the task works in. */
  root: string;
  /** Where each of the agent's own folders is kept, in the order of `needs.own`. */
  own: string[];
  needs: SandboxNeeds;
  env: Record<string, string>;
};

type Wanted = { home: string; task: Task; program: string; env: Record<string, string>; headless: Headless };

/** Variables that lead to what a sandbox does not see, or to a person's own session on this machine. */
const LEFT_OUT =
  /^(PARLEY_(CONFIG|PORT|LOG|HOME)|XDG_.*|SSH_AUTH_SOCK|SSH_AGENT_PID|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|TMUX.*|TMPDIR|GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|SSH.*|ASKPASS|CONFIG.*))$/;

/** Undefined: this task is in none. */
export function planSandbox({ home, task, program, env, headless }: Wanted): SandboxPlan | undefined {
  const { sandbox } = task.order;
  if (!sandbox) return undefined;
  if (!headless.sandbox) throw new ParleyError("usage", `${task.order.agent} cannot be run in a sandbox`);
  const needs = headless.sandbox(program, env);
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_OUT.test(name)));
  return {
    sandbox,
    home,
    inside: insideOf(home, task.id),
    hidden: [dirname(configPath({ HOME: env["HOME"], XDG_CONFIG_HOME: env["XDG_CONFIG_HOME"] }, "/"))],
    root: rootOf(home, task),
    own: needs.own.map((_, i) => ownFolder(home, task.id, i)),
    needs,
    env: {
      ...kept,
      ...needs.env,
      PATH: `${INSIDE}/bin:${env["PATH"] ?? "/usr/bin:/bin"}`,
      PARLEY_HOME: INSIDE,
      PARLEY_SANDBOX: "1",
    },
  };
}

/** Of a plan that runs in a sandbox: what runs outside for it keeps what was given to the task. */
export const inSandbox = (sandbox: SandboxPlan | undefined, env: Record<string, string>) =>
  sandbox ? { sandbox, env: sandbox.env, outside: env } : {};

/** Where the agent reads how to call Parley. */
export function writeSettings(inside: string, run: number, settings: object): void {
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  writeFileSync(join(inside, `settings-${run}.json`), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** Its worktree; one that follows another works in a folder of that one's. */
function rootOf(home: string, { workdir, order }: Task): string {
  const trees = join(home, "worktrees");
  if (workdir) return workdir.root;
  return isWithin(order.cwd, trees) ? join(trees, order.cwd.slice(trees.length + 1).split("/")[0] ?? "") : order.cwd;
}

export const ownFolder = (home: string, task: string, i: number): string => join(home, "tasks", task, "own", String(i));

/** Everything that is seen, in the order in which it is put there: what comes later covers what came before. */
export function mountsFor(plan: SandboxPlan): Mount[] {
  const { needs, own, root, inside, sandbox, env } = plan;
  const user = env["HOME"] || homedir();
  const hidden = [plan.home, ...plan.hidden];
  const asked = sandbox.read.map((path) => path.replace(/^~(?=\/)/, user).replace(/(?<=.)\/+$/, ""));
  const reads = [...new Set([...programFiles(), ...needs.read, ...asked])].toSorted((a, b) => a.length - b.length);
  refuseAround(root, [user, ...hidden, ...needs.own.map(({ path }) => path)]);
  const git = ownGitOf(root);
  return [
    ...systemMounts(),
    ...["/tmp", "/run", user].map((at): Mount => ({ at, empty: true })),
    ...reads.flatMap(mountsOf),
    // Whatever was to be read: never this.
    ...hidden.map((at): Mount => ({ at, empty: true })),
    ...needs.own.flatMap(({ path, reads: names }, i): Mount[] => [
      { at: path, from: own[i] ?? "", write: true },
      ...presentIn(path, names).map((name) => ({ at: join(path, name), from: join(path, name) })),
    ]),
    ...(git ? git.objects.map((path): Mount => ({ at: path, from: path })) : []),
    ...(git ? [{ at: git.folder, from: git.folder, write: true }] : []),
    { at: root, from: root, write: true },
    // Its own `.git` cannot be changed: whoever looks into the worktree later would run what it names.
    ...(git ? [{ at: join(root, ".git"), from: git.file }] : []),
    { at: INSIDE, from: inside },
  ];
}

/** Contract: throws when what must stay outside would be in the folder that can be written. */
export function refuseAround(root: string, outside: readonly string[]): void {
  const covered = outside.find((path) => isWithin(path, root));
  if (covered !== undefined)
    throw new ParleyError(
      "usage",
      `A sandbox cannot be made around ${root}: ${covered} is in it and must stay outside`,
    );
}
