import { readdirSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptedModel } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { isAlive, signal } from "../../../lab/process-tree.ts";
import { createTmux, type Tmux } from "../../../lab/tmux.ts";
import { typePrompt } from "../../../lab/type-prompt.ts";
import { codexEnvironment, createCodexHome, type CodexHome } from "./home.ts";
import { codexInputBox, waitForInput } from "./screen.ts";

export type CodexLabOptions = {
  program: string;
  model: Pick<ScriptedModel, "url">;
  env?: Record<string, string>;
  /** Before it is started. */
  prepare?(dirs: CodexHome): Promise<void>;
};

export type CodexLab = CodexHome & {
  tmux: Tmux;
  prompt(text: string): Promise<void>;
  daemonPid(): Promise<number>;
  /** Kills the background process that all its terminals talk to. */
  killDaemon(): Promise<void>;
  /** Starts it again in a new window, for example with `resume --last`. */
  start(...args: string[]): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real codex in a terminal of its own, with the daemon that it starts itself, talking to a scripted model. */
export async function createCodexLab(options: CodexLabOptions): Promise<CodexLab> {
  const dirs = await createCodexHome({ modelUrl: options.model.url });
  await options.prepare?.(dirs);
  const tmux = await createTmux();

  async function start(...args: string[]): Promise<void> {
    const env = { ...codexEnvironment(dirs.home), ...options.env };
    await tmux.open({ command: [options.program, ...args], env, cwd: dirs.project });
    await waitForInput(tmux);
    // Its daemon belongs to nobody once this terminal is gone.
    tmux.processes();
  }

  async function close(): Promise<void> {
    const sockets = ["app-server-control", "app-server-daemon"].flatMap((name) => linksIn(join(dirs.codex, name)));
    await tmux.close();
    for (const path of [...sockets, dirs.home]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await start();
  } catch (problem) {
    await close();
    throw problem;
  }

  return {
    ...dirs,
    tmux,
    async prompt(text) {
      await waitForInput(tmux);
      await typePrompt(tmux, text, codexInputBox);
    },
    daemonPid: () => daemonPid(dirs.codex),
    async killDaemon() {
      const pid = await daemonPid(dirs.codex);
      signal(pid, "SIGKILL");
      await poll(() => (isAlive(pid) ? undefined : true), { failure: () => `codex's daemon (${pid}) still runs` });
    },
    start,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Its sockets are links to a folder outside, each with a lock beside it. */
function linksIn(folder: string): string[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.map(({ name }) => readlinkSync(join(folder, name))).flatMap((path) => [path, `${path}.lock`]);
  } catch {
    return [];
  }
}

async function daemonPid(codex: string): Promise<number> {
  const text = await Bun.file(join(codex, "app-server-daemon/daemon.pid")).text();
  const pid = (JSON.parse(text) as { pid?: unknown }).pid;
  if (typeof pid !== "number") throw new Error(`codex's daemon.pid names no process: ${text}`);
  return pid;
}
