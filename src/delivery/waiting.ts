import type { Ask } from "../core/ask/ask.ts";
import type { WithdrawnReason } from "../core/ask/outcome.ts";
import { type ChannelName, OWN_DIALOG } from "../core/ask/channel.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import type { Reconciler } from "../inbox/reconcile.ts";
import type { HookCall, HookRelease, HookReply } from "../protocol/hook.ts";
import type { Deliver } from "./deliver.ts";
import type { Hold, Holds } from "./holds.ts";

type Deps = { inbox: Inbox; holds: Holds; deliver: Deliver; reconciler: Reconciler; log: Log };
/** A dialog of the agent's opens only when its hook has ended: so long it waits, and then it lets go. */
export type Limit = { ms: number; reason: HookRelease["reason"] };
export const NOTHING: HookReply = { handed: [] };
/** Esc, or the agent's end, as the hook itself says it. */
const LEFT: Partial<Record<HookRelease["reason"], WithdrawnReason>> = {
  signal: "moved-on",
  "agent-exited": "agent-exited",
};
/** Somebody who fills it in is waited for, but not for ever: a form that lies open is nobody's work. */
const LONGEST_MS = 600_000;

/** The hooks that wait on the line: how one begins to wait, and how that ends. */
export function createWaiting({ inbox, holds, deliver, reconciler, log }: Deps) {
  const limits = new Map<string, { restart(): void }>();

  /** Keeps nothing it does not need, so it is no async function: ten thousand may wait. */
  function wait(waiting: Omit<Hold, "reply">, limit: Limit | undefined, gone: AbortSignal): Promise<HookReply> {
    const { promise, resolve } = Promise.withResolvers<HookReply>();
    const hold: Hold = Object.assign(waiting, { reply });
    holds.add(hold);
    const stop = limit && watch(hold, limit);
    gone.addEventListener("abort", leave, { once: true });
    // A hook that went away while its question was being written down fires no event any more.
    if (gone.aborted) leave();
    void deliver(hold.ask);
    return promise;

    function reply(said: HookReply): void {
      stop?.();
      gone.removeEventListener("abort", leave);
      resolve(said);
    }

    function leave(): void {
      reply(NOTHING);
      holds.remove(hold);
      void release({ call: hold.call, reason: "hook-gone" }, hold).catch((error: unknown) =>
        log("warn", "a hook that went away could not be noted", { ask: hold.ask, error: String(error) }),
      );
    }
  }

  function watch({ call, ask }: Hold, { ms, reason }: Limit): () => void {
    const since = performance.now();
    const start = () => setTimeout(() => void release({ call, reason }), ms);
    let timer = start();
    if (reason === OWN_DIALOG)
      limits.set(ask, {
        restart() {
          if (performance.now() - since > LONGEST_MS) return;
          clearTimeout(timer);
          timer = start();
        },
      });
    return () => {
      clearTimeout(timer);
      limits.delete(ask);
    };
  }

  async function release({ call: name, reason, handed = [] }: HookRelease, hold = holds.get(name)): Promise<void> {
    if (hold) holds.remove(hold);
    hold?.reply(NOTHING);
    for (const id of new Set([...(hold ? [hold.ask] : []), ...handed.map(({ ask }) => ask)])) {
      await inbox.change(id, (ask: Ask) => {
        const mine = ask.deliveries.find((d) => d.hold === name && d.state === "waiting" && d.released === undefined);
        return mine ? [{ type: "ask.released", key: mine.key, hold: name, reason }] : [];
      });
      // The agent told it to end: Esc, or it is closing. Which of them, its transcript and its process say.
      if (reason !== "deadline" && reason !== "subagent" && reason !== OWN_DIALOG)
        void reconciler
          .follow(id)
          .then(() => reconciler.sweepOne(id))
          .then(() => (LEFT[reason] ? reconciler.left(id, LEFT[reason]) : undefined));
    }
  }

  return {
    wait,
    release,
    /** Somebody fills it in: their agent's own dialog can wait. */
    stay: (ask: string) => limits.get(ask)?.restart(),
    async note(id: string, key: string, channel: ChannelName, { call: hold }: HookCall): Promise<void> {
      await inbox.change(id, ({ deliveries }) => {
        const known = deliveries.find((d) => d.key === key);
        if (known?.hold === hold && known.released === undefined) return [];
        const racing = channel === "race" || (known?.racing ?? false);
        return [{ type: "ask.held", key, hold, channel, racing }];
      });
    },
  };
}
