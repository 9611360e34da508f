import type { Ask } from "../../core/ask/ask.ts";

type Ways = {
  holds: { isAnyHeld(ask: Ask): boolean };
  remote: { isOpen(ask: Ask): boolean };
  askers: { areWaiting(id: string): boolean };
};

/** Does somebody wait for its answer on the line? */
export const isReached = (ask: Ask, { holds, remote, askers }: Ways): boolean =>
  holds.isAnyHeld(ask) || remote.isOpen(ask) || askers.areWaiting(ask.id);
