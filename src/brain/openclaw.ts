import type { BrainConfigOf } from "../core/autopilot/brain-config.ts";
import type { BrainRequest } from "./brain.ts";
import { readKey } from "./key.ts";
import type { Message } from "./message.ts";
import { postJson, Unreachable } from "./post-json.ts";
import type { CommandReply } from "./replies.ts";
import type { BrainDeps } from "./think.ts";

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 2000;

/** An agent behind an OpenClaw gateway: the gateway takes the message, the agent answers by command. */
export function createOpenClawBrain(
  config: BrainConfigOf<"openclaw">,
  { env, replies, sleep = pause }: Pick<BrainDeps, "env" | "replies" | "sleep">,
) {
  return async ({ system, text }: Message, { ask }: BrainRequest, signal: AbortSignal): Promise<CommandReply> => {
    const token = (await readKey(config, env)) ?? "";
    // Listened for before it is asked: it may be quick. One stop ends both.
    const stopped = new AbortController();
    const answer = replies.expect(ask.id, AbortSignal.any([signal, stopped.signal]));
    answer.catch(() => {});
    const post = postTo(config, token, `parley-${ask.id}-${crypto.randomUUID()}`, `${system}\n\n${text}`);
    try {
      await persistently(() => postJson(post, signal), sleep, signal);
      return await answer;
    } finally {
      stopped.abort();
    }
  };
}

/** Tells the agent there something that is no question. `id`: the same twice is told once. */
export async function tellOpenClaw(
  config: BrainConfigOf<"openclaw">,
  { env, sleep = pause }: Pick<BrainDeps, "env" | "sleep">,
  { id, message }: { id: string; message: string },
  signal: AbortSignal,
): Promise<void> {
  const post = postTo(config, (await readKey(config, env)) ?? "", id, message);
  await persistently(() => postJson(post, signal), sleep, signal);
}

/** The gateway starts one run for all attempts with the same key. */
function postTo(config: BrainConfigOf<"openclaw">, token: string, key: string, message: string) {
  const { agent, timeout_seconds: timeoutSeconds } = config;
  return {
    url: `${config.url.replace(/\/+$/, "")}/hooks/agent`,
    headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
    body: { message, name: "Parley", deliver: false, timeoutSeconds, ...(agent !== undefined && { agentId: agent }) },
  };
}

/** Again while the gateway is not there, each time after twice the wait. */
async function persistently(
  attempt: () => Promise<unknown>,
  sleep: NonNullable<BrainDeps["sleep"]>,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof Unreachable) || tries === ATTEMPTS) throw error;
      await sleep(FIRST_DELAY_MS * 2 ** (tries - 1), signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(resolve, ms);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
