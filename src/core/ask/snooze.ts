import type { Ask } from "./ask.ts";
import { ParleyError } from "../error.ts";
import type { AskEvent } from "./event.ts";
import type { Actor } from "./outcome.ts";
import { refuseSettled } from "./settle.ts";

export type Snooze = { minutes?: number | undefined; until?: number | undefined };

/** Puts an open Ask aside; a time that is over brings it back. It can be answered all the while. */
export function snooze(ask: Ask, { minutes, until }: Snooze, actor: Actor, at: number): AskEvent {
  refuseSettled(ask, at);
  if ((minutes === undefined) === (until === undefined))
    throw new ParleyError("invalid", "Give either minutes or until", {
      problems: [{ field: "minutes", message: "Give either minutes or until" }],
    });
  return { type: "ask.snoozed", until: until ?? at + Math.round((minutes ?? 0) * 60_000), actor };
}
