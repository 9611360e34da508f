import { writeSync } from "node:fs";
import { isSafeOutput } from "../agents/claude-code/check-output.ts";
import { wakeDaemon } from "../client/wake.ts";
import { send } from "../client/wire.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import type { HookCall, HookRelease, HookReply } from "../protocol/hook.ts";

/** A hook that does not wait for a person costs the agent at most this. */
const SHORT_MS = 5000;
const START_MS = 3000;
/** A little less than the timeout in the agent's settings: told to end by the agent looks the same as Esc. */
const HOLD_MS = 86_400_000 - 60_000;
const MOST_INPUT = 1024 * 1024 - 4096;
/** Events at which the agent's dialog stands open and an answer may come from outside. */
const HELD_EVENTS = new Set(["PermissionRequest"]);

/**
 * The program an agent's hook runs.
 * Contract: fails open. Whatever breaks here, nothing is printed, the exit code is 0 and the agent goes on as if Parley
 * were not installed.
 */
export async function hook(args: readonly string[], env: Record<string, string | undefined>): Promise<void> {
  const paths = pathsIn(homeDir(env));
  const text = await Bun.stdin.text();
  if (text.length > MOST_INPUT) return;
  const payload = JSON.parse(text) as HookCall["payload"];
  const waits = HELD_EVENTS.has(args[0] ?? "") || args.includes("--hold");
  const call: HookCall = {
    agent: "claude-code",
    call: crypto.randomUUID(),
    waits,
    payload,
    facts: {
      pid: process.ppid,
      ...(env["TMUX"] && { tmux: env["TMUX"] }),
      ...(env["TMUX_PANE"] && { pane: env["TMUX_PANE"] }),
    },
  };
  const body = JSON.stringify(call);
  const reply = waits ? await hold() : await once(AbortSignal.timeout(SHORT_MS));
  if (reply?.output !== undefined) await hand(reply);

  async function once(signal: AbortSignal): Promise<HookReply | undefined> {
    const attempt = () => post("/hook/call", body, signal);
    return attempt().catch(async () => {
      const woken = await wakeDaemon(paths, { patienceMs: START_MS });
      return woken === "stopped" || woken === "failed" ? undefined : attempt();
    });
  }

  /** Waits for the answer through restarts of the daemon; ends with the agent, at its word, or before the deadline. */
  async function hold(): Promise<HookReply | undefined> {
    const parent = process.ppid;
    const leave = new AbortController();
    const end = (reason: HookRelease["reason"]) => leave.abort(reason);
    process.on("SIGTERM", () => end("signal"));
    process.on("SIGHUP", () => end("signal"));
    process.on("SIGINT", () => end("signal"));
    const deadline = setTimeout(() => end("deadline"), Number(env["PARLEY_HOLD_MS"] ?? HOLD_MS));
    const orphaned = setInterval(() => process.ppid === parent || end("agent-exited"), 500);
    try {
      return await waitThrough(leave.signal);
    } finally {
      clearTimeout(deadline);
      clearInterval(orphaned);
      if (leave.signal.aborted)
        await tell("/hook/release", { call: call.call, reason: leave.signal.reason as HookRelease["reason"] });
    }
  }

  async function waitThrough(left: AbortSignal): Promise<HookReply | undefined> {
    for (let tries = 0, pause = 50; !left.aborted; tries++) {
      try {
        const reply = await post("/hook/call", body, left);
        if (!reply.again) return reply;
        pause = 50;
      } catch {
        if (left.aborted) return undefined;
        const woken = await wakeDaemon(paths, { patienceMs: START_MS });
        // Never reached it: the dialog is all there is. Once held, we wait for the next daemon.
        if (tries === 0 && (woken === "stopped" || woken === "failed")) return undefined;
      }
      await Bun.sleep(pause);
      pause = Math.min(pause * 2, 1000);
    }
    return undefined;
  }

  async function hand(reply: HookReply): Promise<void> {
    if (!isSafeOutput(payload, reply.output)) return tell("/hook/release", { call: call.call, reason: "bad-reply" });
    writeAll(JSON.stringify(reply.output));
    await tell("/hook/ack", { call: call.call, handed: reply.handed });
  }

  async function post(path: string, content: string, signal: AbortSignal): Promise<HookReply> {
    const response = await send(paths, { method: "POST", path, as: "agent", body: content, signal });
    if (!response.ok) throw new Error(`the daemon answered ${response.status}`);
    return (await response.json()) as HookReply;
  }

  /** Worth a moment, not more: the transcript tells the daemon anyway. */
  async function tell(path: string, message: unknown): Promise<void> {
    await post(path, JSON.stringify(message), AbortSignal.timeout(500)).catch(() => undefined);
  }
}

/** `process.stdout` costs 15 ms in Bun; a pipe may take a long answer in parts. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}
