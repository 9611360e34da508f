import { eachOf } from "./each-version.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ClaudeLab, type ClaudeLabOptions, createClaudeLab } from "../../src/agents/claude-code/lab/claude-lab.ts";
import type { ClaudeHome } from "../../src/agents/claude-code/lab/home.ts";
import { waitForDialog } from "../../src/agents/claude-code/lab/dialog.ts";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import { type Process, signal, treeOf } from "../../src/lab/process-tree.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

export const VERSIONS = ["2.1.325", "2.1.197"] as const;
export type ToolQuestion = {
  question: string;
  header: string;
  multiSelect: boolean;
  options: { label: string; description: string; preview?: string }[];
};
export type Stage = {
  claude: ClaudeLab;
  model: ScriptedModel;
  program: Program;
  /** Makes the agent call AskUserQuestion and waits for its dialog and for Parley's Ask, on the line. */
  asks(questions: ToolQuestion[], name?: string): Promise<AskView>;
  /** The Ask with this question, once `ready` says so. */
  ask(text: string, ready?: (ask: AskView) => boolean): Promise<AskView>;
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  becomes(id: string, ready: (ask: AskView) => boolean): Promise<AskView>;
  /** `parley answer`, which waits for the receipt as long as it takes. */
  answer(...args: string[]): Promise<{ code: number; out: string; err: string }>;
  /** Waits until a running agent has read its changed settings, some seconds after they were written. */
  takesUp(): Promise<void>;
  /** Sends a signal to the hooks of the agent that wait now; later calls to the same ones. */
  signalHooks(name: NodeJS.Signals): void;
  /** What the model itself received for the tool call of that name. */
  received(name?: string): Promise<{ text: string; isError: boolean }>;
  [Symbol.asyncDispose](): Promise<void>;
};
type Options = Omit<ClaudeLabOptions, "program" | "model"> & {
  version: string;
  setup?: string[] | false;
  script?: Record<string, Say[]>;
  /** Writes a program to this file that is started in the agent's place, and starts it. */
  wrap?: (given: { file: string; agent: string; program: Program; dirs: ClaudeHome; model: string }) => Promise<void>;
};

export const question = (text: string, labels: readonly string[], more: Partial<ToolQuestion> = {}): ToolQuestion => ({
  question: text,
  header: "Choice",
  multiSelect: false,
  options: labels.map((label) => ({ label, description: `What ${label} means` })),
  ...more,
});

export const eachVersion = eachOf({
  title: "Claude Code",
  versions: VERSIONS,
  programOf: (version) => programOf(version),
});

/** The real Claude Code in a terminal, set up with `parley setup`, and a Parley of its own. */
export async function openStage({ version, setup = [], script = {}, wrap, ...options }: Options): Promise<Stage> {
  const asked = script;
  const model = createScriptedModel({ script: asked });
  const program = createProgram();
  const client = program.client("human");
  const claude = await createClaudeLab({
    permissionMode: "default",
    ...options,
    program: wrap ? join(program.root, "agent") : programOf(version),
    model,
    env: { PARLEY_HOME: program.home, PARLEY_PORT: "0", ...options.env },
    async prepare(dirs) {
      await options.prepare?.(dirs);
      const file = join(program.root, "agent");
      await wrap?.({ file, agent: programOf(version), program, dirs, model: model.url });
      if (setup === false) return;
      const done = await program.parley(["setup", "claude-code", "--yes", ...setup], {
        env: { HOME: dirs.home },
        cwd: dirs.project,
      });
      if (done.code !== 0) throw new Error(done.err);
    },
  });

  const look = async (match: (ask: AskView) => boolean) =>
    (await client.call("listAsks", { query: { state: "all", limit: 500 } })).asks.find(match);
  const until = (match: (ask: AskView) => boolean, what: () => string) => poll(() => look(match), { failure: what });
  const becomes: Stage["becomes"] = async (id, ready) => {
    const last = async () => JSON.stringify(await look((ask) => ask.id === id), null, 1);
    return until(
      (ask) => ask.id === id && ready(ask),
      () => `ask ${id} did not become so`,
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${await last()}\n${await claude.tmux.screen()}`);
    });
  };
  const ask: Stage["ask"] = async (text, ready = () => true) =>
    until(
      (found) => found.questions[0]?.text === text && ready(found),
      () => `no ask ${JSON.stringify(text)}`,
    );

  let hooks: Process[] = [];
  return {
    claude,
    model,
    program,
    ask,
    find: (match) =>
      until(match, () => "no such ask").catch(async (error: Error) => {
        throw new Error(`${error.message}\n${await claude.tmux.screen()}`);
      }),
    becomes,
    async asks(questions, name = "ask") {
      asked[name] = [
        { text: `About ${name}.` },
        { tool: "AskUserQuestion", id: `toolu_${name}`, input: { questions } },
      ];
      await claude.prompt(`SCENARIO:${name}`);
      const [first] = questions;
      if (!first) throw new Error("no question");
      await waitForDialog(claude.tmux, first.question);
      return ask(first.question, (found) => found.reachable && found.deliveries.some((d) => d.key === `toolu_${name}`));
    },
    answer: (...args) => program.parley(["answer", ...args], { env: UNTIL_RECEIVED }),
    async takesUp() {
      // Its Stop hook tells: then Parley has heard of the session.
      for (let turn = 0; (await client.call("listSessions")).sessions.length === 0; turn++) {
        if (turn === 60) throw new Error("the agent did not take up its settings");
        await claude.prompt(`hello ${turn}`);
        await claude.tmux.waitFor((screen) => screen.includes(`hello ${turn}`) && !screen.includes("esc to interrupt"));
      }
    },
    signalHooks(name) {
      if (hooks.length === 0)
        hooks = treeOf(claude.pid()).filter(({ pid }) => commandOf(pid).includes("hook claude-code PermissionRequest"));
      if (hooks.length === 0) throw new Error("no hook waits");
      for (const { pid } of hooks) signal(pid, name);
    },
    received: (name = "ask") => model.waitForToolResult(`toolu_${name}`),
    async [Symbol.asyncDispose]() {
      await claude.close();
      await model.close();
      await program.dispose();
    },
  };
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

export function programOf(version: string): string {
  return join(import.meta.dir, `versions/node_modules/claude-code-${version}/bin/claude.exe`);
}
