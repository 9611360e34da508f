import type { Ask } from "../core/ask/ask.ts";
import { isSnoozed } from "../core/ask/ask-state.ts";
import type { AskEvent } from "../core/ask/event.ts";
import { duration } from "../core/words/time.ts";
import { eachAsk } from "../store/each-ask.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  now: Clock;
  /** How long a person lets a permission or a plan wait; 0: for ever. */
  after: () => { approval: number; plan: number };
};

/** Denies what nobody decided in the time that the person set. Contract: nothing is ever allowed by time. */
export function createDenials({ store, inbox, now, after }: Deps) {
  return {
    async sweep(): Promise<void> {
      const limits = after();
      if (limits.approval === 0 && limits.plan === 0) return;
      for await (const { id, kind } of eachAsk(store, ["open"])) {
        const ms = kind === "approval" || kind === "plan" ? limits[kind] : 0;
        if (ms > 0) await inbox.change(id, (ask) => denial(ask, ms, now()));
      }
    },
  };
}

function denial(ask: Ask, ms: number, at: number): AskEvent[] {
  // One that was put aside is not forgotten.
  if (ask.outcome || isSnoozed(ask, at) || at - Math.max(ask.createdAt, ask.snoozedUntil ?? 0) < ms) return [];
  const message = `Nobody decided within ${duration(ms)}, so this is denied`;
  return [
    { type: "ask.settled", outcome: { type: "declined", actor: { type: "system", surface: "timeout" }, at, message } },
  ];
}
