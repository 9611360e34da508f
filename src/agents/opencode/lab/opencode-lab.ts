import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createOpencodeHome, opencodeEnvironment, type OpencodeHome } from "./home.ts";
import { opencodeInputBox, waitForInput } from "./screen.ts";
import type { ScriptedModel } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { isAlive, signal } from "../../../lab/process-tree.ts";
import { createTmux, type Tmux } from "../../../lab/tmux.ts";
import { typePrompt } from "../../../lab/type-prompt.ts";

export type OpencodeLabOptions = {
  program: string;
  version: string;
  model: Pick<ScriptedModel, "url">;
  config?: Record<string, unknown>;
  plugins?: readonly string[];
  env?: Record<string, string>;
  args?: readonly string[];
  /** Before it is started. */
  prepare?(dirs: OpencodeHome): Promise<void>;
};

export type OpencodeLab = OpencodeHome & {
  tmux: Tmux;
  pid(): number;
  prompt(text: string): Promise<void>;
  /** Ends the service that the terminals of opencode 2 share, where there is one, as `kill -9` does. */
  killService(): Promise<void>;
  /** Sends the signal and waits until the agent is gone. */
  kill(name?: NodeJS.Signals): Promise<void>;
  /** Starts it again in a new window, for example with `--session`. */
  start(...args: string[]): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const SERVICE_ENDED = "Server process exited";
const MOST_STARTS = 3;

/** The real opencode in a terminal of its own, talking to a scripted model. */
export async function createOpencodeLab(options: OpencodeLabOptions): Promise<OpencodeLab> {
  const dirs = await createOpencodeHome({ ...options, modelUrl: options.model.url });
  await options.prepare?.(dirs);
  const tmux = await createTmux();

  async function start(...args: string[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      await tmux.open({
        command: [options.program, ...args],
        env: { ...opencodeEnvironment(dirs.home), ...options.env },
        cwd: dirs.project,
      });
      const problem = await waitForInput(tmux).then(() => undefined, String);
      if (problem === undefined) return;
      // The service of opencode 2 ends at once where its port was taken meanwhile, and its terminal with it: a person starts it again.
      if (tries === MOST_STARTS || !problem.includes(SERVICE_ENDED)) throw new Error(problem);
    }
  }

  async function close(): Promise<void> {
    await tmux.close();
    await endService(dirs.home);
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
    killService: () => endService(dirs.home),
    async prompt(text) {
      await waitForInput(tmux);
      await typePrompt(tmux, text, opencodeInputBox);
    },
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

/** It outlives its terminals. */
async function endService(home: string): Promise<void> {
  const file = Bun.file(join(home, ".local/state/opencode/service.json"));
  const { pid } = ((await file.json().catch(() => undefined)) as { pid?: unknown } | undefined) ?? {};
  if (typeof pid !== "number" || !isAlive(pid)) return;
  signal(pid, "SIGKILL");
  await poll(() => (isAlive(pid) ? undefined : true), { failure: () => `its service (pid ${pid}) still runs` });
}
