import { existsSync, writeSync } from "node:fs";
import { hookSideOf } from "../agents/hook-side-of.ts";
import { isUp, send } from "../client/wire.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import type { HookCall, HookRelease, HookReply } from "../protocol/hook.ts";

/** A hook that does not wait for a person costs the agent at most this, unless `PARLEY_HOOK_MS` gives it longer. */
const SHORT_MS = 5000;
/** A last word to the daemon is worth a moment, not more: the transcript tells it anyway. */
const LAST_WORD_MS = 500;
const START_MS = 3000;
/** So often a hook without a dialog beside it looks whether the daemon still lives. */
const HUNG_MS = 5000;
/** A little less than the timeout in the agent's settings: told to end by the agent looks the same as Esc. */
const HOLD_MS = 86_400_000 - 60_000;
/** Less than its run's group has before it is killed. */
const OUTLIVE_MS = 4000;
const LOOK_MS = 20;
const MOST_INPUT = 1024 * 1024 - 4096;

/**
 * The program an agent's hook runs.
 * Contract: fails open. Whatever breaks here, nothing is printed, the exit code is 0 and the agent goes on as if Parley
 * were not installed.
 */
export async function hook(args: readonly string[], env: Record<string, string | undefined>): Promise<void> {
  // In a run of Parley's own the hooks that a person installed stand aside.
  const task = env["PARLEY_TASK"];
  if ((task !== undefined) !== args.includes("--task")) return;
  // Behind `parley acp` its connection says what it asks, while the editor shows it.
  if (env["PARLEY_ACP"] !== undefined && !args.includes("--must-ask")) return;
  const paths = pathsIn(homeDir(env));
  const { agent, event, flags, side } = await hookSideOf(args);
  if (!side) return;
  const waits = side.heldEvents.includes(event) || flags.includes("--hold");
  // Whatever hangs, here or there: the agent goes on.
  const givenMs = Number(env["PARLEY_HOOK_MS"]) || 0;
  const budget = setTimeout(() => process.exit(0), givenMs || SHORT_MS);
  const text = await Bun.stdin.text();
  if (text.length > MOST_INPUT) return;
  const sent = JSON.parse(text) as HookCall["payload"];
  if (typeof sent !== "object" || sent === null || Array.isArray(sent) || !side.isOwn(sent, env)) return;
  const payload = side.completed?.(sent, env) ?? sent;
  // The launcher saw it first: an agent that is killed while we start leaves us another parent, which never ends.
  const parent = Number(env["PARLEY_PARENT"]) || process.ppid;
  const call: HookCall = {
    agent,
    call: crypto.randomUUID(),
    calledAt: Date.now(),
    waits,
    payload,
    ...(flags.includes("--must-ask") && { mustAsk: true }),
    ...(flags.includes("--edits") && { edits: true }),
    ...(flags.includes("--ran") && { ran: true }),
    ...(flags.includes("--hold") && { patient: true }),
    facts: {
      pid: parent,
      hook: process.pid,
      ...(side.isCalledBy(env, payload) && { marked: true }),
      ...(task && { task }),
      ...(env["PARLEY_SANDBOX"] === "container" && (await startOf(parent))),
      ...(env["TMUX"] && { tmux: env["TMUX"] }),
      ...(env["TMUX_PANE"] && { pane: env["TMUX_PANE"] }),
    },
  };
  const body = JSON.stringify(call);
  const hasDialog = side.hasDialog(payload);
  if (waits) {
    clearTimeout(budget);
    void Promise.all([side.prepare?.(), escaping()]).catch(() => undefined);
  }
  const reply = waits ? await hold() : await once();
  if (reply?.output !== undefined) await hand(reply);

  /** Through deaths of the daemon, as long as the budget lasts; one that lives and fails is asked a second time. */
  async function once(): Promise<HookReply | undefined> {
    for (let failures = 0; failures < 2;) {
      try {
        return await post("/hook/call", body);
      } catch (error) {
        if (error instanceof DaemonError) failures++;
        if ((await wake()) !== "up") return undefined;
      }
    }
    return undefined;
  }

  /** Waits for the answer through restarts of the daemon; ends with the agent, at its word, or before the deadline. */
  async function hold(): Promise<HookReply | undefined> {
    const leave = new AbortController();
    const { promise: left, resolve } = Promise.withResolvers<undefined>();
    leave.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    let ending: HookRelease["reason"] | undefined;
    // The daemon hears why before the line breaks: a broken line alone would say that this hook was killed.
    const end = (reason: HookRelease["reason"]) => {
      if (ending) return;
      ending = reason;
      void tell("/hook/release", { call: call.call, reason }).then(() => leave.abort());
    };
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => end("signal"));
    const deadline = setTimeout(() => end("deadline"), Number(env["PARLEY_HOLD_MS"]) || HOLD_MS);
    const orphaned = setInterval(() => process.ppid === parent || end("agent-exited"), 500);
    const isHung = async () => !(await isUp(paths)) && !(await isUp(paths));
    const opensLater = !hasDialog && task === undefined;
    const hung = opensLater ? setInterval(() => void isHung().then((is) => is && end("subagent")), HUNG_MS) : undefined;
    try {
      const reply = await Promise.race([waitThrough(leave.signal), left]);
      if (ending === "signal" && task !== undefined) await outlive();
      return reply;
    } finally {
      clearTimeout(deadline);
      clearInterval(orphaned);
      clearInterval(hung);
    }
  }

  /**
   * All of a task's run is told to end at once. An agent that saw its hook end first, without a word, would write that down as
   * what was answered, and go on with it for as long as its own end takes.
   */
  async function outlive(): Promise<void> {
    const most = Math.max(givenMs, OUTLIVE_MS);
    for (let waited = 0; waited < most && process.ppid === parent; waited += LOOK_MS) await Bun.sleep(LOOK_MS);
  }

  async function waitThrough(left: AbortSignal): Promise<HookReply | undefined> {
    let reached = false;
    let tries = hasDialog ? Infinity : 3;
    // Without its agent it stays silent: the session may go on in another process, which is not ours to describe.
    for (let pause = 50; !left.aborted && process.ppid === parent; pause = Math.min(pause * 2, 1000)) {
      try {
        const reply = await post("/hook/call", body, left);
        if (!reply.again) return reply;
        [reached, pause] = [true, 50];
      } catch (error) {
        reached ||= (error as NodeJS.ErrnoException).code === "ECONNRESET";
        // Never reached it: the dialog is all there is. Once held, we wait for the next daemon. A task has no dialog: an
        // agent whose question nobody has taken would wait for ever.
        if (((await wake()) === "away" || --tries <= 0) && !reached && task === undefined) return undefined;
      }
      await Bun.sleep(pause);
    }
    return undefined;
  }

  async function hand({ output, handed, changed }: HookReply): Promise<void> {
    const undone = (reason: HookRelease["reason"]) => tell("/hook/release", { call: call.call, reason, handed });
    const [isSafe, { escapeControls }] = await Promise.all([side?.isSafeOutput(payload, output, changed), escaping()]);
    if (!isSafe) return undone("bad-reply");
    try {
      writeAll(escapeControls(JSON.stringify(output)));
    } catch {
      return undone("hook-gone");
    }
    await tell("/hook/ack", { call: call.call, handed, output });
  }

  /** Loaded only when the daemon is away. `later`: nothing keeps it from coming back by itself. */
  async function wake(): Promise<"up" | "later" | "away"> {
    const { startDaemon } = await import("../client/start-daemon.ts");
    // Not this very program: it may have waited here since before an update.
    const woken = await startDaemon(paths, {
      patienceMs: START_MS,
      ...(existsSync(paths.program) && { command: [paths.program] }),
    });
    if (woken === "late" || woken === "unwritable") return "later";
    return woken === "stopped" || woken === "failed" ? "away" : "up";
  }

  /** Contract: rejects when asking again may help. What the daemon refuses, or says in no words of ours, it will again. */
  async function post(path: string, content: string, signal?: AbortSignal): Promise<HookReply> {
    const request = { method: "POST", path, as: "agent", body: content } as const;
    const response = await send(paths, signal ? { ...request, signal } : request);
    if (response.status >= 500) throw new DaemonError(`the daemon answered ${response.status}`);
    const reply = response.ok ? ((await response.json().catch(() => null)) as HookReply | null) : null;
    return reply ?? { handed: [] };
  }

  async function tell(path: string, message: unknown): Promise<void> {
    const moment = AbortSignal.timeout(Math.max(givenMs, LAST_WORD_MS));
    await post(path, JSON.stringify(message), moment).catch(() => undefined);
  }
}

/** In a container: outside this process has another number, and is found by the time of its start. */
async function startOf(pid: number): Promise<Pick<HookCall["facts"], "started">> {
  const { started } = (await import("../machine/process/process.ts")).nameProcess(pid);
  return started === undefined ? {} : { started };
}

/** Most hooks print nothing, and need not load it. */
function escaping() {
  return import("../core/text/json-line.ts");
}

/** It lives, and could not do what it was asked. */
class DaemonError extends Error {}

/** `process.stdout` costs 15 ms in Bun; a pipe may take a long answer in parts. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}
