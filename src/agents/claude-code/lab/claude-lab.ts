import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { claudeEnvironment, createClaudeHome, type ClaudeHome } from "./home.ts";
import { sendPrompt, waitForInputBox } from "./prompt.ts";
import type { ScriptedModel } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { isAlive, signal } from "../../../lab/process-tree.ts";
import { createTmux, type Tmux } from "../../../lab/tmux.ts";

export type ClaudeLabOptions = {
  program: string;
  model: Pick<ScriptedModel, "url">;
  settings?: object;
  env?: Record<string, string>;
  permissionMode?: string;
  args?: readonly string[];
  /** Of the terminal. */
  width?: number;
  height?: number;
  /** Runs when the home is made and before the agent starts, for example to install hooks. */
  prepare?: (dirs: ClaudeHome) => Promise<void> | void;
};

export type TranscriptLine = Record<string, unknown>;

export type ClaudeLab = {
  home: string;
  project: string;
  tmux: Tmux;
  /** The agent itself; another one after resume(). */
  pid(): number;
  prompt(text: string): Promise<void>;
  sessionId(): string;
  transcriptPath(): string;
  transcript(): Promise<TranscriptLine[]>;
  /** Sends the signal and waits until the agent is gone. */
  kill(name?: NodeJS.Signals): Promise<void>;
  closeTerminal(): Promise<void>;
  /** Starts the agent again on the same session, in a new window. */
  resume(): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real Claude Code in a terminal of its own, talking to a scripted model. */
export async function createClaudeLab(options: ClaudeLabOptions): Promise<ClaudeLab> {
  const dirs = await createClaudeHome(options.settings);
  const { home, project } = dirs;
  await options.prepare?.(dirs);
  const tmux = await createTmux();
  const session = crypto.randomUUID();
  const transcriptPath = join(home, ".claude/projects", project.replace(/[^a-zA-Z0-9]/g, "-"), `${session}.jsonl`);

  async function start(...which: string[]): Promise<void> {
    const mode = ["--permission-mode", options.permissionMode ?? "default"];
    await tmux.open({
      command: [options.program, ...which, ...mode, ...(options.args ?? [])],
      env: { ...claudeEnvironment(home, options.model.url), ...options.env },
      cwd: project,
      ...(options.width !== undefined && { width: options.width }),
      ...(options.height !== undefined && { height: options.height }),
    });
    await waitForInputBox(tmux);
  }

  async function gone(): Promise<void> {
    const pid = tmux.panePid();
    await poll(() => (isAlive(pid) ? undefined : true), {
      failure: () => `Claude Code (pid ${pid}) still runs long after it was told to end`,
    });
  }

  async function close(): Promise<void> {
    await tmux.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await start("--session-id", session);
  } catch (problem) {
    await close();
    throw problem;
  }

  return {
    home,
    project,
    tmux,
    pid: tmux.panePid,
    prompt: (text) => sendPrompt(tmux, text),
    sessionId: () => session,
    transcriptPath: () => transcriptPath,
    transcript: () => readTranscript(transcriptPath),
    async kill(name = "SIGKILL") {
      tmux.processes();
      signal(tmux.panePid(), name);
      await gone();
    },
    async closeTerminal() {
      await tmux.closeWindow();
      await gone();
    },
    resume: () => start("--resume", session),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Complete lines only: the last one may still be in the middle of being written. */
async function readTranscript(path: string): Promise<TranscriptLine[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as TranscriptLine);
}
