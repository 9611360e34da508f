import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createGitProject } from "../../lab/git-project.ts";
import { LOOPBACK_ONLY } from "../../lab/loopback-only.ts";
import { createTmux, type Tmux } from "../../lab/tmux.ts";
import type { ReadLayout } from "../capability/screen-layout.ts";
import { type InputBox, typePrompt } from "../../lab/type-prompt.ts";

export type KinHome = { home: string; project: string };
export type KinLabOptions = {
  program: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Before it is started. */
  prepare?(dirs: KinHome): Promise<void>;
  width?: number;
  height?: number;
};
/** What is different between the two: settings file, variables, input box. */
export type Kind = {
  name: string;
  settingsFile: string;
  settings: object;
  variables: Record<string, string>;
  inputBox: InputBox;
};
export type KinLab = KinHome & {
  tmux: Tmux;
  prompt(text: string): Promise<void>;
  /** Starts it again in a new window. */
  start(...args: string[]): Promise<void>;
  /** Leaves no process and no file behind. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real agent in a terminal of its own and a throw-away home, talking to a scripted model: no key, no account. */
export async function createKinLab(kind: Kind, options: KinLabOptions): Promise<KinLab> {
  const home = await realpath(await mkdtemp(join(tmpdir(), `parley-${kind.name}-`)));
  const dirs = { home, project: join(home, "project") };
  const file = join(home, kind.settingsFile);
  await createGitProject(dirs.project);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(kind.settings, null, 2)}\n`);
  await options.prepare?.(dirs);
  const tmux = await createTmux();
  const { program, args = [], width, height } = options;
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };

  async function start(...more: string[]): Promise<void> {
    const env = { ...environment(home), ...kind.variables, ...options.env };
    await tmux.open({ command: [program, ...args, ...more], env, cwd: dirs.project, ...size });
    await tmux.waitFor((screen) => kind.inputBox(screen) === "");
    // What it started belongs to nobody once this terminal is gone.
    tmux.processes();
  }

  async function close(): Promise<void> {
    await tmux.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await start();
  } catch (problem) {
    await close();
    throw problem;
  }
  const prompt = async (text: string) => {
    await tmux.waitFor((screen) => kind.inputBox(screen) === "");
    await typePrompt(tmux, text, kind.inputBox);
  };
  return { ...dirs, tmux, prompt, start, close, [Symbol.asyncDispose]: close };
}

/** As a person picks the third option: a key that comes too soon after another is taken for something pasted. */
export async function pickThird(tmux: Tmux, read: ReadLayout["read"]): Promise<void> {
  const cursor = (text: string) => {
    const screen = read(text);
    return screen.type === "question" ? screen.rows.find((row) => row.cursor)?.number : undefined;
  };
  for (const number of [2, 3]) {
    await tmux.keys("Down");
    await tmux.waitFor((text) => cursor(text) === number);
  }
  const until = performance.now() + tmux.patienceMs;
  while (cursor(await tmux.screen()) === 3 && performance.now() < until) {
    await Bun.sleep(300);
    await tmux.keys("Enter");
    await tmux.waitFor((text) => cursor(text) !== 3, { timeoutMs: 3_000 }).catch(() => undefined);
  }
}

export const environment = (home: string): Record<string, string> => ({
  HOME: home,
  PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  GIT_ALLOW_PROTOCOL: "file",
  ...LOOPBACK_ONLY,
});
