import type { AskEvent } from "./event.ts";

// What can happen to an Ask, by what it means to whoever listens. Free of the schema library, for commands.

type Type = AskEvent["type"];
const list = (...types: readonly Type[]): ReadonlySet<string> => new Set(types);

const OUTCOME = ["ask.settled", "ask.ended", "ask.closed"] as const satisfies Type[];

/** It has its outcome now, or may have: `ask.ended` is about one of its deliveries. */
export const GIVES_OUTCOME = list(...OUTCOME);

/** A delivery, or with `ask.closed` each of them, waits for nobody any more. */
export const ENDS_DELIVERY = list("ask.sent", "ask.verified", "ask.mismatched", "ask.ended", "ask.closed");

/** Whether a person is to be told of it, or again, may be otherwise now. */
export const MATTERS_TO_NOTIFIER = list(
  "ask.captured",
  "ask.autopilot",
  "ask.snoozed",
  "ask.released",
  "ask.mismatched",
  ...OUTCOME,
);

/** The autopilot looks at it, or looks anew. */
export const MATTERS_TO_AUTOPILOT = list("ask.captured", "ask.context", "ask.closed");

/** How it went, without the ways by which it went there. */
export const TOLD_IN_SHORT = list("ask.captured", ...OUTCOME, "ask.verified", "ask.mismatched", "ask.told");

const WAY = ["ask.context", "ask.joined", "ask.held", "ask.released", "ask.sent"] as const satisfies Type[];
export type WayEvent = Extract<AskEvent, { type: (typeof WAY)[number] }>;

/** Only how a question reached its hook, and the answer went back. */
export const isAboutItsWay = (event: AskEvent): event is WayEvent => WAY.some((type) => type === event.type);
