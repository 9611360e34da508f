import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../client/client.ts";
import type { Answer } from "../core/ask/answer/answer.ts";
import { ParleyError } from "../core/error.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import type { CallOf } from "../protocol/contract.ts";

export type Settled = { outcome: Outcome; sentence: string };
export type Settlement = { action: "answer"; answers: Answer[] } | { action: "cancel" };
export type Inbox = ReturnType<typeof openInbox>;

const ROUND_MS = 30_000;
const RETRY_MS = 500;

/** The daemon as one who asks needs it. A daemon that restarts is waited for. */
export function openInbox(env: Readonly<Record<string, string | undefined>>, { wakes }: { wakes: boolean }) {
  const paths = pathsIn(homeDir(env));
  const asker = createClient(paths, { as: "agent", wakes });
  /** For the person in front of a dialog drawn here. */
  const person = createClient(paths, { wakes });

  /** Contract: who was first stays first; that is told by `outcome`. Throws when there is no daemon. */
  async function settle(id: string, settlement: Settlement): Promise<void> {
    const body = { ...settlement, surface: "terminal" };
    await person.call("settleAsk", { id, body }).catch((error: unknown) => {
      if (!(error instanceof ParleyError) || error.code !== "already_settled") throw error;
    });
  }

  return {
    /** Asks once, however often it has to be said; gives up after `patienceMs` without a daemon. */
    async create(body: NonNullable<CallOf<"createAsk">["body"]>, patienceMs: number): Promise<string> {
      const idempotencyKey = crypto.randomUUID();
      for (const until = performance.now() + patienceMs; ; await pause(RETRY_MS)) {
        try {
          return (await asker.call("createAsk", { body, idempotencyKey })).id;
        } catch (error) {
          if (!isAway(error) || performance.now() >= until) throw error;
        }
      }
    },
    async outcome(id: string, signal: AbortSignal): Promise<Settled> {
      for (;;) {
        const reply = await whileAway(
          () => asker.call("receiveAnswer", { id, query: { wait: ROUND_MS } }, signal),
          signal,
        );
        if (reply.outcome) return { outcome: reply.outcome, sentence: reply.sentence };
      }
    },
    settle,
    async settleLater(id: string, settlement: Settlement): Promise<void> {
      await whileAway(() => settle(id, settlement));
    },
    async withdraw(id: string): Promise<void> {
      await whileAway(() => asker.call("withdrawAsk", { id }));
    },
  };
}

export function isAway(error: unknown): boolean {
  return error instanceof ParleyError && error.code.startsWith("daemon_");
}

async function whileAway<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) throw error;
    }
    // A host that has nothing else to do may end meanwhile.
    await pause(RETRY_MS, undefined, { ref: signal !== undefined, ...(signal && { signal }) });
  }
}
