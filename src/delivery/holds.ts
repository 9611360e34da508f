import type { Ask } from "../core/ask/ask.ts";
import type { HookReply } from "../protocol/hook.ts";

export type Hold = {
  call: string;
  ask: string;
  key: string;
  channel: string;
  /** What its hook sent, as JSON: ten thousand may wait, and it is read once. */
  payload: string;
  /** Of the agent, as far as its record tells when the hook comes. */
  version: Promise<string | undefined> | undefined;
  reply(reply: HookReply): void;
  /** The agent that was handed it before died, and this one asks for it again. */
  again?: boolean;
};
export type Holds = ReturnType<typeof createHolds>;

/** The hooks that wait on the line right now. In memory only: after a restart they come back by themselves. */
export function createHolds() {
  const byCall = new Map<string, Hold>();
  /** Whoever settles one of ten thousand must not look through them. */
  const byAsk = new Map<string, readonly Hold[]>();
  function forget(hold: Hold): void {
    const others = (byAsk.get(hold.ask) ?? []).filter((each) => each !== hold);
    if (others.length === 0) byAsk.delete(hold.ask);
    else byAsk.set(hold.ask, others);
  }
  return {
    /** A hook that came back replaces its own earlier self. */
    add(hold: Hold): void {
      const earlier = byCall.get(hold.call);
      if (earlier) forget(earlier);
      earlier?.reply({ handed: [] });
      byCall.set(hold.call, hold);
      byAsk.set(hold.ask, [...(byAsk.get(hold.ask) ?? []), hold]);
    },
    get: (call: string) => byCall.get(call),
    remove(hold: Hold): void {
      if (byCall.get(hold.call) !== hold) return;
      byCall.delete(hold.call);
      forget(hold);
    },
    of: (ask: string): Hold[] => [...(byAsk.get(ask) ?? [])],
    isAnyHeld: ({ id, deliveries }: Ask) =>
      deliveries.some(({ hold }) => hold !== undefined && byCall.get(hold)?.ask === id),
    drain(): void {
      for (const hold of byCall.values()) hold.reply({ again: true, handed: [] });
      byCall.clear();
      byAsk.clear();
    },
    get size() {
      return byCall.size;
    },
  };
}
