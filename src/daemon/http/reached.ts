import type { Ask } from "../../core/ask/ask.ts";
import { isTypable } from "../../delivery/key-channel.ts";

type Ways = {
  holds: { isAnyHeld(ask: Ask): boolean };
  remote: { isOpen(ask: Ask): boolean };
  askers: { areWaiting(id: string): boolean };
};

/** Would an answer be with its agent at once? */
export const isReached = (ask: Ask, { holds, remote, askers }: Ways): boolean =>
  holds.isAnyHeld(ask) || remote.isOpen(ask) || askers.areWaiting(ask.id) || isTypable(ask);
