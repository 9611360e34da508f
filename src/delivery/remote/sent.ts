import type { Ask, Delivery } from "../../core/ask/ask.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { Reconciler } from "../../inbox/reconcile.ts";
import type { Sent } from "../channel.ts";

export const RECEIPT_MS = 10_000;

/** The agent's side took it: from now on its record is looked at. */
export async function taken(
  { inbox, reconciler }: { inbox: Inbox; reconciler: Reconciler },
  id: string,
  key: string,
): Promise<Sent> {
  await inbox.change(id, ({ deliveries }) =>
    deliveries.some((d) => d.key === key && d.state === "waiting")
      ? [{ type: "ask.sent", key, channel: "remote" }]
      : [],
  );
  void reconciler.follow(id, RECEIPT_MS);
  return "sent";
}

/** It has no words for this outcome: only its terminal does. */
export async function cannotTell(
  { inbox, title }: { inbox: Inbox; title: string },
  { id, outcome }: Ask,
  { key, hold = "" }: Delivery,
): Promise<Sent> {
  const reason = `${title} cannot be told "${outcome?.type}" from outside: look at its terminal`;
  await inbox.change(id, ({ deliveries }) =>
    deliveries.some((d) => d.key === key && d.released === undefined)
      ? [{ type: "ask.released", key, hold, reason }]
      : [],
  );
  return "never";
}
