import { rm } from "node:fs/promises";
import { createOpencodeHome, opencodeEnvironment, type OpencodeHome } from "./opencode-home.ts";
import { opencodeInputBox, waitForInput } from "./opencode-screen.ts";
import type { ScriptedModel } from "./model.ts";
import { poll } from "./poll.ts";
import { isAlive, signal } from "./process-tree.ts";
import { createTmux, type Tmux } from "./tmux.ts";
import { typePrompt } from "./type-prompt.ts";

export type OpencodeLabOptions = {
  program: string;
  version: string;
  model: Pick<ScriptedModel, "url">;
  config?: Record<string, unknown>;
  plugins?: readonly string[];
  env?: Record<string, string>;
  args?: readonly string[];
};

export type OpencodeLab = OpencodeHome & {
  tmux: Tmux;
  pid(): number;
  prompt(text: string): Promise<void>;
  /** Sends the signal and waits until the agent is gone. */
  kill(name?: NodeJS.Signals): Promise<void>;
  /** Starts it again in a new window, for example with `--session`. */
  start(...args: string[]): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real opencode in a terminal of its own, talking to a scripted model. */
export async function createOpencodeLab(options: OpencodeLabOptions): Promise<OpencodeLab> {
  const dirs = await createOpencodeHome({ ...options, modelUrl: options.model.url });
  const tmux = await createTmux();

  async function start(...args: string[]): Promise<void> {
    await tmux.open({
      command: [options.program, ...args],
      env: { ...opencodeEnvironment(dirs.home), ...options.env },
      cwd: dirs.project,
    });
    await waitForInput(tmux);
  }

  async function close(): Promise<void> {
    await tmux.close();
    await rm(dirs.home, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await start(...(options.args ?? []));
  } catch (problem) {
    await close();
    throw problem;
  }

  return {
    ...dirs,
    tmux,
    pid: tmux.panePid,
    prompt: (text) => typePrompt(tmux, text, opencodeInputBox),
    async kill(name = "SIGKILL") {
      tmux.processes();
      const pid = tmux.panePid();
      signal(pid, name);
      await poll(() => (isAlive(pid) ? undefined : true), { failure: () => `opencode (pid ${pid}) still runs` });
    },
    start,
    close,
    [Symbol.asyncDispose]: close,
  };
}
