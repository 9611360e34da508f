import type { Ask, Delivery } from "../core/ask.ts";
import type { HookReply } from "../protocol/hook.ts";

export type Hold = {
  call: string;
  ask: string;
  key: string;
  channel: string;
  payload: unknown;
  reply(reply: HookReply): void;
};
export type Holds = ReturnType<typeof createHolds>;

/** The hooks that wait on the line right now. In memory only: after a restart they come back by themselves. */
export function createHolds() {
  const byCall = new Map<string, Hold>();
  return {
    /** A hook that came back replaces its own earlier self. */
    add(hold: Hold): void {
      byCall.get(hold.call)?.reply({ handed: [] });
      byCall.set(hold.call, hold);
    },
    get: (call: string) => byCall.get(call),
    remove(hold: Hold): void {
      if (byCall.get(hold.call) === hold) byCall.delete(hold.call);
    },
    of: (ask: string): Hold[] => [...byCall.values()].filter((hold) => hold.ask === ask),
    isHeld: (ask: Ask, delivery: Delivery) => delivery.hold !== undefined && byCall.get(delivery.hold)?.ask === ask.id,
    drain(): void {
      for (const hold of byCall.values()) hold.reply({ again: true, handed: [] });
      byCall.clear();
    },
    get size() {
      return byCall.size;
    },
  };
}
