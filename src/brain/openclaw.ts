import type { BrainConfigOf } from "../core/autopilot/brain-config.ts";
import type { Ask } from "../core/ask/ask.ts";
import { BrainError, type BrainRequest } from "./brain.ts";
import { readKey } from "./api-key.ts";
import type { Message } from "./message.ts";
import { postJson, Unreachable } from "./post-json.ts";
import type { BrainDeps } from "./think.ts";

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 2000;

/** An agent behind an OpenClaw gateway: the gateway takes the message, the agent answers by command. */
export function createOpenClawBrain(
  config: BrainConfigOf<"openclaw">,
  { env, sleep = pause }: Pick<BrainDeps, "env" | "sleep">,
) {
  /** `reply`: waits for the command. */
  return async <Reply>(
    { system, text }: Message,
    request: BrainRequest,
    reply: (signal: AbortSignal) => Promise<Reply>,
    signal: AbortSignal,
  ): Promise<Reply> => {
    const { ask, conversation, isScreening } = request;
    const token = (await readKey(config, env)) ?? "";
    // Listened for before it is asked: it may be quick. One stop ends both.
    const stopped = new AbortController();
    const answer = reply(AbortSignal.any([signal, stopped.signal]));
    answer.catch(() => {});
    const message = {
      id: `parley-${ask.id}-${crypto.randomUUID()}`,
      message: `${system}\n\n${text}`,
      // What it is asked first it must judge without what it knows of the session.
      conversation: isScreening
        ? `${sessionKeyOf(ask)}:${crypto.randomUUID()}`
        : (conversation?.id ?? sessionKeyOf(ask)),
    };
    try {
      await persistently(() => send(config, token, message, signal), sleep, signal);
      return await answer;
    } finally {
      stopped.abort();
    }
  };
}

/** One session of its agent for each session that asks: what it decided there before, it knows. */
export const sessionKeyOf = ({ id, origin }: Ask): string => `hook:parley:${origin.session ?? id}`;

type Sent = { id: string; message: string; conversation: string };

/** Tells the agent there something that is no question. `id`: the same twice is told once. */
export async function tellOpenClaw(
  config: BrainConfigOf<"openclaw">,
  { env, sleep = pause }: Pick<BrainDeps, "env" | "sleep">,
  told: Sent,
  signal: AbortSignal,
): Promise<void> {
  const token = (await readKey(config, env)) ?? "";
  await persistently(() => send(config, token, told, signal), sleep, signal);
}

/** Unless its owner allows it (`hooks.allowRequestSessionKey`), a gateway answers 400 to whoever names a session. */
async function send(config: BrainConfigOf<"openclaw">, token: string, sent: Sent, signal: AbortSignal): Promise<void> {
  const post = postTo(config, token, sent.id, sent.message);
  const named = { ...post, body: { ...post.body, sessionKey: sent.conversation } };
  await postJson(named, signal).catch((error: unknown) => {
    if (!(error instanceof BrainError) || !error.message.includes("answered 400")) throw error;
    return postJson(post, signal);
  });
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
