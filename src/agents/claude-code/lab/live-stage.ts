import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ask } from "../../../core/ask/ask.ts";
import { LogEvent } from "../../../core/ask/event.ts";
import { waitForDialog } from "./dialog.ts";
import { claudeEnvironment, createClaudeHome } from "./home.ts";
import { sendPrompt, waitForInputBox } from "./prompt.ts";
import { type Ran, startParley } from "../../../lab/live-parley.ts";
import { createScriptedModel, type Script, type ScriptedModel } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { createTmux, type Tmux } from "../../../lab/tmux.ts";
import { z } from "zod";

const AskOnLine = Ask.extend({ reachable: z.boolean() });
export type AskOnLine = z.infer<typeof AskOnLine>;
const Listing = z.looseObject({ asks: z.array(AskOnLine) });
const Shown = AskOnLine.extend({ events: z.array(LogEvent) });

export type LiveStageOptions = {
  /** The agent. */
  program: string;
  /** The command line that starts this Parley. */
  parley: readonly string[];
  script: Script;
  /** Ends every wait; what was made is removed all the same. */
  signal: AbortSignal;
  /** Leaves the folder, with the agent's transcript and Parley's home, for somebody to look at. */
  keep: boolean;
};

export type LiveStage = {
  root: string;
  tmux: Tmux;
  model: ScriptedModel;
  /** Starts the agent in a new window and waits until it takes a prompt. */
  startAgent(...session: string[]): Promise<void>;
  parley(...args: string[]): Promise<Ran>;
  /** The same for a command that must succeed. */
  mustRun(...args: string[]): Promise<string>;
  prompt(text: string): Promise<void>;
  dialog(question: string): Promise<void>;
  /** The Ask with this question, once `ready` says so. */
  ask(question: string, what: string, ready: (ask: AskOnLine) => boolean): Promise<AskOnLine>;
  shown(id: string): Promise<z.infer<typeof Shown>>;
  /** Contract: every wait of a check goes through here, so that it ends when the person ends the check. */
  within<T>(failure: string, work: Promise<T>): Promise<T>;
  [Symbol.asyncDispose](): Promise<void>;
};

const START_MS = 60_000;
export const LOOK_MS = 30_000;

/**
 * An agent's home, a Parley of its own, a private tmux and a scripted model, all below one folder.
 * Contract: nothing of the machine's own set-up is read; afterwards neither a process nor a file is left.
 */
export async function openLiveStage({ program, parley: command, script, signal, keep }: LiveStageOptions) {
  await using stack = new AsyncDisposableStack();
  const root = await realpath(await mkdtemp(join(tmpdir(), "parley-live-")));
  stack.defer(() => (keep ? undefined : remove(root)));
  const temp = join(root, "tmp");
  await mkdir(temp, { mode: 0o700 });
  const model = stack.use(createScriptedModel({ script }));
  const { home, project } = await createClaudeHome(undefined, root);
  const own = stack.use(await startParley(command, root));
  // Last, so that it is closed first: the hooks go before the daemon they would start again.
  const tmux = stack.use(await createTmux({ patienceMs: START_MS }));
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const interrupt = () => end(signal.reason);
  signal.addEventListener("abort", interrupt, { once: true });
  stack.defer(() => signal.removeEventListener("abort", interrupt));
  signal.throwIfAborted();

  const within: LiveStage["within"] = async (failure, work) => {
    try {
      return await Promise.race([work, ended]);
    } catch (problem) {
      signal.throwIfAborted();
      const exited = problem instanceof Error && problem.message.startsWith("the program in the terminal has ended");
      throw new Error(exited ? `${failure}: it has ended by itself` : failure, { cause: problem });
    }
  };
  const parley: LiveStage["parley"] = (...args) =>
    within(`parley ${args[0]} does not end`, own.run(args, { home, cwd: project }));
  const mustRun: LiveStage["mustRun"] = async (...args) => {
    const { code, out, err } = await parley(...args);
    if (code !== 0) throw new Error(`parley ${args.join(" ")}: exit code ${code}: ${(err || out).trim()}`);
    return out;
  };

  const kept = stack.move();
  const stage: LiveStage = {
    root,
    tmux,
    model,
    parley,
    mustRun,
    within,
    async startAgent(...session) {
      await tmux.open({
        command: [program, ...session, "--permission-mode", "default"],
        env: {
          ...claudeEnvironment(home, model.url),
          ...own.env,
          TMPDIR: temp,
          CLAUDE_CODE_TMPDIR: temp,
        },
        cwd: project,
      });
      await within("it did not show its input box", waitForInputBox(tmux, START_MS));
    },
    prompt: (text) => within("its input box did not take the prompt", sendPrompt(tmux, text)),
    dialog: async (question) =>
      void (await within("it did not show its dialog", waitForDialog(tmux, question, LOOK_MS))),
    async ask(question, what, ready) {
      const find = async () => {
        const { asks } = Listing.parse(JSON.parse(await mustRun("ls", "--all", "--json")));
        return asks.find((ask) => ask.questions[0]?.text === question && ready(ask));
      };
      return within(what, poll(find, { timeoutMs: LOOK_MS, everyMs: 100, failure: () => what }));
    },
    shown: async (id) => Shown.parse(JSON.parse(await mustRun("show", id, "--json"))),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
  return stage;
}

/** A process that was just ended may have written a last file while its folder was being emptied. */
async function remove(folder: string): Promise<void> {
  const gone = () =>
    rm(folder, { recursive: true, force: true }).then(
      () => true,
      () => undefined,
    );
  await poll(gone, { timeoutMs: 5_000, everyMs: 100, failure: () => `${folder} cannot be removed` });
}
