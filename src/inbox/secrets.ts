import type { Answer } from "../core/ask/answer/answer.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { AskEvent } from "../core/ask/event.ts";
import { ENDS_DELIVERY } from "../core/ask/event-lists.ts";
import { asksSecret, withoutSecrets } from "../core/ask/answer/field.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Store } from "../store/store.ts";

/**
 * What was typed into a secret field, on its way to the agent: in memory alone, and forgotten when it was handed over. A
 * daemon that dies before that has lost it; the agent's own dialog asks again then.
 */
export function createSecrets(store: Pick<Store, "onCommit">) {
  const kept = new Map<string, Answer[]>();
  store.onCommit((events) => {
    for (const { ask = "", type } of kept.size > 0 ? events : []) if (ENDS_DELIVERY.has(type)) kept.delete(ask);
  });

  return {
    /** The events as they may be written down. */
    takeFrom(ask: Ask, events: readonly AskEvent[]): AskEvent[] {
      if (!asksSecret(ask)) return [...events];
      return events.map((event) => {
        if (event.type !== "ask.settled" && event.type !== "ask.ended" && event.type !== "ask.closed") return event;
        const { answers } = event.outcome;
        if (!answers) return event;
        if (event.type === "ask.settled") kept.set(ask.id, answers);
        return { ...event, outcome: { ...event.outcome, answers: withoutSecrets(ask.questions, answers) } };
      });
    },
    /** Undefined: it is not known any more. */
    reveal({ id, outcome }: Ask): Outcome | undefined {
      if (!outcome?.answers?.some(({ secret }) => secret)) return outcome;
      const answers = kept.get(id);
      return answers && { ...outcome, answers };
    },
  };
}
