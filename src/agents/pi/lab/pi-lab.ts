import { rm } from "node:fs/promises";
import type { ScriptedModel } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { isAlive, signal } from "../../../lab/process-tree.ts";
import { createTmux, type Tmux } from "../../../lab/tmux.ts";
import { typePrompt } from "../../../lab/type-prompt.ts";
import { createPiHome, MODEL, piEnvironment, type PiHome } from "./home.ts";
import { piInputBox, waitForInput } from "./screen.ts";

export type PiLabOptions = {
  program: string;
  model: Pick<ScriptedModel, "url">;
  env?: Record<string, string>;
  args?: readonly string[];
  /** Before it is started. */
  prepare?(dirs: PiHome): Promise<void>;
};

export type PiLab = PiHome & {
  tmux: Tmux;
  env: Record<string, string>;
  pid(): number;
  prompt(text: string): Promise<void>;
  /** Sends the signal and waits until the agent is gone. */
  kill(name?: NodeJS.Signals): Promise<void>;
  /** Starts it again in a new window, for example with `--continue`. */
  start(...args: string[]): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real pi in a terminal of its own, talking to a scripted model, with an extension that asks. */
export async function createPiLab(options: PiLabOptions): Promise<PiLab> {
  const dirs = await createPiHome(options.model.url);
  const tmux = await createTmux();
  const env = { ...piEnvironment(dirs.home), ...options.env };

  async function start(...args: string[]): Promise<void> {
    await tmux.open({ command: [options.program, ...MODEL, ...args], env, cwd: dirs.project });
    await waitForInput(tmux);
  }

  async function close(): Promise<void> {
    await tmux.close();
    await rm(dirs.home, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await options.prepare?.(dirs);
    await start(...(options.args ?? []));
  } catch (problem) {
    await close();
    throw problem;
  }

  return {
    ...dirs,
    tmux,
    env,
    pid: tmux.panePid,
    async prompt(text) {
      await waitForInput(tmux);
      await typePrompt(tmux, text, piInputBox);
      await insist(tmux, text.replaceAll(/\s/g, ""));
    },
    async kill(name = "SIGKILL") {
      tmux.processes();
      const pid = tmux.panePid();
      signal(pid, name);
      await poll(() => (isAlive(pid) ? undefined : true), { failure: () => `pi (pid ${pid}) still runs` });
    },
    start,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const LOOKS = 3;

/** While it starts, 0.87.1 takes a prompt and puts it back into the box: then it is sent again. */
async function insist(tmux: Tmux, text: string): Promise<void> {
  let gone = 0;
  const look = async () => {
    const isBack = piInputBox(await tmux.screen()) === text;
    gone = isBack ? 0 : gone + 1;
    if (isBack) await tmux.keys("Enter");
    return gone >= LOOKS || undefined;
  };
  await poll(look, { everyMs: 100, failure: async () => `pi does not take the prompt:\n${await tmux.screen()}` });
}
