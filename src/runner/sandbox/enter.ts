import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import { pathsIn, readRegistration } from "../../machine/home.ts";
import { launcher } from "../../machine/program/launcher.ts";
import { selfCommand } from "../../machine/self-command.ts";
import { makeOwnGit, ownGitOf } from "../../machine/worktree/own-git.ts";
import { bringBack, bringWork, type Enter } from "./bring-work.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { isWithin, type Mount, objectFolders } from "./mount.ts";
import { isLoopback, namedIn, openWays, PROXY_PORT, type Way } from "./network.ts";
import { INSIDE, mountsFor, type SandboxPlan } from "./plan.ts";
import { wrapped } from "./wrapper.ts";

export type Opened = {
  command(command: string[]): string[];
  env: Record<string, string>;
  /** What its agent committed comes into the repository; says why, where it does not. */
  close(): Promise<string | undefined>;
};

/** Makes ready what a sandbox is made of. Contract: throws when it cannot be made; nothing runs outside of it instead. */
export async function openSandbox(plan: SandboxPlan, cwd: string): Promise<Opened> {
  const { root, home, sandbox, needs } = plan;
  seedOwn(plan);
  if (isWithin(root, join(home, "worktrees"))) await makeOwnGit(root, objectFolders);
  const mounts = mountsFor(plan);
  const around = (network: string, env: Record<string, string>, where: string) => {
    const [program = "", ...words] = sandbox.command
      ? wrapped(sandbox.command, { mounts: ofImage(mounts), cwd: where, env, network })
      : bubblewrap({ mounts, cwd: where, hostNetwork: network === "host" });
    // Found with the PATH out here: what is put around an agent is not the agent's to name.
    const found = Bun.which(program);
    if (!found) throw new Error(`${program} is not installed`);
    return [found, ...words];
  };
  const enter: Enter = (command, input) => {
    const child = Bun.spawn([...around("none", plan.env, root), ...command], {
      env: plan.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    void child.stdin.write(input);
    void child.stdin.end();
    return child;
  };
  const hasGit = ownGitOf(root) !== undefined;
  if (hasGit) {
    await bringWork(root, enter);
    await bringBack(root, enter);
  }
  const names = namedIn(sandbox.network, needs.reaches);
  const way = names && (await openWays({ folder: join(plan.inside, "net"), names, isForbidden: isDaemon(home) }));
  putInside(plan.inside, way?.ways);
  const env = { ...plan.env, ...(way && proxied(plan.env)) };
  const first = way ? [...selfCommand(), "task-inside", `${INSIDE}/ways.json`] : [];
  return {
    env,
    command: (command) => [
      ...around(sandbox.network === "host" ? "host" : "none", env, cwd),
      ...first,
      ...(sandbox.command ? byOwnName(command) : command),
    ],
    async close() {
      way?.close();
      try {
        if (hasGit) await bringWork(root, enter);
        return undefined;
      } catch (error) {
        return `What was committed in the sandbox stays there: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
  };
}

/** An image has a system of its own. Engines make no links: in the place of one is what it leads to. */
const ofImage = (mounts: readonly Mount[]) =>
  mounts
    .map((mount) => ("link" in mount ? { at: mount.at, from: mount.link } : mount))
    .filter((mount) => "from" in mount && !/^\/(usr|bin|sbin|lib\w*|opt|etc)(\/|$)/.test(mount.at));

/** Its program by its own name: behind a link in the home it would look for its files there. */
function byOwnName([program = "", ...words]: string[]): string[] {
  try {
    return [isAbsolute(program) ? realpathSync(program) : program, ...words];
  } catch {
    return [program, ...words];
  }
}

/** A folder of its own begins with what its agent needs there, once; afterwards the agent's files are nobody's to follow. */
function seedOwn({ own, needs, inside }: SandboxPlan): void {
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  needs.own.forEach(({ copies, reads }, i) => {
    const folder = own[i] ?? "";
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const [name, from] of Object.entries(copies)) if (existsSync(from)) copyFileSync(from, join(folder, name));
    }
    // The person's file is put there: through a link that the agent left it would be put elsewhere.
    for (const name of reads)
      if (lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(join(folder, name));
  });
}

/** Beside the socket, all that a sandbox sees of Parley: the program that its hooks call, and no token. */
function putInside(inside: string, ways: readonly Way[] = []): void {
  mkdirSync(join(inside, "bin"), { recursive: true, mode: 0o700 });
  writeFileSync(join(inside, "bin", "parley"), launcher(INSIDE));
  chmodSync(join(inside, "bin", "parley"), 0o700);
  const seen = ways.map(({ port, socket }) => ({ port, socket: socket.replace(inside, INSIDE) }));
  writeFileSync(join(inside, "ways.json"), JSON.stringify(seen));
}

/** The daemon's own port is never a way out, whatever is named. */
const isDaemon =
  (home: string) =>
  ({ host, port }: { host: string; port: number }): boolean =>
    isLoopback(host) && readRegistration(pathsIn(home))?.port === port;

function proxied(env: Record<string, string>): Record<string, string> {
  const others = Object.keys(env).filter((name) => /^(https?|all|no)_proxy$/i.test(name));
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const none = "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(others.map((name) => [name, /^no/i.test(name) ? none : proxy])),
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: none,
  };
}
