import type { Autopilot } from "../../../autopilot/autopilot.ts";
import type { Replies } from "../../../brain/replies.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import type { Actor } from "../../../core/ask/outcome.ts";
import { settle, type Settlement } from "../../../core/ask/settle.ts";
import { ParleyError } from "../../../core/error.ts";

type Deps = { replies: Replies; autopilot: Pick<Autopilot, "decided">; now: () => number };
type Decision = Settlement & { confidence?: number | undefined; verdict?: unknown; isScreening?: boolean | undefined };

/** A brain's reply by command. Undefined: nobody waits for it, so it settles like any other. */
export function createTakeDecision({ replies, autopilot, now }: Deps) {
  return async (ask: Ask, reply: Decision, actor: Actor): Promise<Ask | undefined> => {
    const { reason, confidence, action, answers, message, verdict, isScreening } = reply;
    const { program } = actor;
    if (isScreening) {
      const isTaken = actor.type === "brain" && replies.take(ask.id, program, { screening: { said: verdict } });
      if (isTaken) return ask;
      throw new ParleyError("forbidden", "Nobody asks this brain now whether it needs a person");
    }
    // Any agent's session, the one that asks above all, is not the brain that was asked.
    if (actor.type !== "brain") return undefined;
    const settlement = { action, answers, message };
    // Refused here, it can be mended by whoever decided.
    if (!ask.outcome) settle(ask, settlement, actor, now());
    const decided = { settlement, reason, confidence, verdict };
    const isTaken =
      replies.take(ask.id, program, { answer: decided }) || (await autopilot.decided(ask, decided, program));
    return isTaken && !ask.outcome ? ask : undefined;
  };
}
