import type { HookReading } from "../agents/capability/reading.ts";
import type { AskEvent } from "../core/ask/event.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import { askerOf } from "../core/elicitation/asker.ts";
import { answersIn } from "../core/elicitation/elicitation-result.ts";
import { TERMINAL } from "../core/receipt/terminal-actor.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";

type Deps = { store: Store; inbox: Inbox; now: Clock };
const ENDED = { accept: "answered-elsewhere", decline: "declined", cancel: "declined" } as const;

/** What a person said in the agent's own dialog is what its asker was told: the oldest of that asker's Asks ends with it. */
export async function decidedThere(
  { store, inbox, now }: Deps,
  { session, asker, action, content }: HookReading & { type: "decided" },
): Promise<void> {
  const active = await store.list({ session: session.id, states: ACTIVE });
  const ask = active.find((found) => found.kind === "elicitation" && askerOf(found) === asker);
  if (!ask) return;
  await inbox.change(ask.id, ({ questions, deliveries, outcome: ours }): AskEvent[] => {
    const open = deliveries.find(({ state }) => state === "waiting" || state === "sent");
    if (!open) return [];
    const isAddress = questions[0]?.field?.type === "address";
    const answers = action !== "accept" ? undefined : isAddress ? [{ picks: [0] }] : answersIn(questions, content);
    const seen: Outcome = { type: ENDED[action], actor: TERMINAL, at: now(), ...(answers && { answers }) };
    const outcome: Outcome = ours ? { ...seen, type: "overtaken", reason: seen.type, lost: ours } : seen;
    return [{ type: "ask.ended", key: open.key, outcome }];
  });
}
