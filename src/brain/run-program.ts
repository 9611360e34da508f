import { basename } from "node:path";
import { BrainError } from "./brain.ts";
import { fromHome } from "../machine/file/from-home.ts";
import { readLimited } from "./read-limited.ts";

type Env = Record<string, string | undefined>;
type Run = { command: readonly string[]; cwd: string; env: Env; input: string };
const LARGEST = 256 * 1024;

/**
 * Runs a program to its end and answers what it printed.
 * Contract: afterwards nothing of its process group is left, whether it ended, failed, said too much or was stopped.
 */
export async function runProgram({ command, cwd, env, input }: Run, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const [program = "", ...args] = command;
  const path = Bun.which(fromHome(program, env), { PATH: env["PATH"] ?? "" });
  const name = basename(program);
  if (path === null) throw new BrainError("setup", `The program ${name} is not installed`);
  const child = start([path, ...args], { cwd, env, input }, name);
  const end = () => endGroup(child.pid);
  signal.addEventListener("abort", end, { once: true });
  // What it leaves behind would keep its output open.
  void child.exited.then(end);
  try {
    const out = await readLimited(child.stdout, LARGEST, name);
    const code = await child.exited;
    signal.throwIfAborted();
    if (code !== 0) throw new BrainError("junk", `${name} ended with ${child.signalCode ?? `exit code ${code}`}`);
    return out;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** In a group of its own, so that all it starts can be ended with it. */
function start(command: string[], { cwd, env, input }: Omit<Run, "command">, name: string) {
  try {
    return Bun.spawn(command, { cwd, env, stdio: [Buffer.from(input), "pipe", "ignore"], detached: true });
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new BrainError("setup", `The program ${name} cannot be started (${code})`);
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The group is gone.
  }
}
