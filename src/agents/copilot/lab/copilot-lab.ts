import { rm } from "node:fs/promises";
import type { ScriptedModel } from "../../../lab/model.ts";
import { createTmux, type Tmux } from "../../../lab/tmux.ts";
import { typePrompt } from "../../../lab/type-prompt.ts";
import { type CopilotHome, copilotEnvironment, createCopilotHome } from "./home.ts";
import { copilotInputBox, waitForInput } from "./screen.ts";

export type CopilotLabOptions = {
  program: string;
  model: Pick<ScriptedModel, "url">;
  env?: Record<string, string>;
  /** Before it is started. */
  prepare?(dirs: CopilotHome): Promise<void>;
};

export type CopilotLab = CopilotHome & {
  tmux: Tmux;
  prompt(text: string): Promise<void>;
  /** Starts it in a new window. */
  start(...args: string[]): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real Copilot CLI in a terminal of its own, talking to a scripted model. */
export async function createCopilotLab(options: CopilotLabOptions): Promise<CopilotLab> {
  const dirs = await createCopilotHome();
  await options.prepare?.(dirs);
  const tmux = await createTmux();

  async function start(...args: string[]): Promise<void> {
    const env = { ...copilotEnvironment(dirs.home, options.model.url), ...options.env };
    await tmux.open({ command: [options.program, ...args], env, cwd: dirs.project });
    await waitForInput(tmux);
  }

  async function close(): Promise<void> {
    await tmux.close();
    await rm(dirs.home, { recursive: true, force: true, maxRetries: 5 });
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
      await typePrompt(tmux, text, copilotInputBox);
    },
    start,
    close,
    [Symbol.asyncDispose]: close,
  };
}
