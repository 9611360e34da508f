import type { Origin } from "../core/ask/ask.ts";
import { projectOf } from "../machine/git/git.ts";
import { homeDir, pathsIn, readRegistration } from "../machine/home.ts";
import { isAlive, nameProcess, type ProcessName } from "../machine/process/process.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type Asker = {
  /** Who asks, as people see it. */
  agent: string | (() => string);
  env?: Env;
  cwd?: string;
  /** The agent's session this process was started inside, if any: that one may not answer. */
  inside?: string | undefined;
};

/** Where a question of this process comes from. */
export async function originOf({ agent, env = process.env, cwd = process.cwd(), inside }: Asker): Promise<Origin> {
  // `$TMUX` is `<server socket>,<server pid>,<session>`.
  const [server] = env["TMUX"]?.split(",") ?? [];
  const id = env["TMUX_PANE"];
  const self = thisProcess(env);
  return {
    agent: typeof agent === "string" ? agent : agent(),
    cwd,
    ...(await projectOf(cwd)),
    ...(server && id && { pane: { server, id } }),
    ...(self && { process: self }),
    ...(inside !== undefined && { inside }),
  };
}

/** Undefined where we do not see the daemon: in a container it would not see us either, and take us for dead. */
function thisProcess(env: Env): ProcessName | undefined {
  // Elsewhere only Bun can ask for the start of a process.
  if (process.platform !== "linux") return { pid: process.pid };
  const daemon = readRegistration(pathsIn(homeDir(env)))?.process;
  return daemon && isAlive(daemon) ? nameProcess(process.pid) : undefined;
}
