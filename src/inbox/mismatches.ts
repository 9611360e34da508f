import { titleOf } from "../agents/agents.ts";
import type { Ask } from "../core/ask/ask.ts";
import { mismatchesOf } from "../core/receipt/mismatch.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { AskView, MismatchView } from "../protocol/view.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";

/** Who wants to know: a person on a surface, or a program or an agent that decides. */
type Decider = { type: "person" | "program"; surface: string; session?: string; program?: string };

/** Who has not come back in a week does not remember what they answered. */
const WORTH_MS = 7 * 86_400_000;
const MOST = 100;

/**
 * Answers that the agent received otherwise, for people and programs that decided them; brains are told by the autopilot.
 * Contract: each is told once; that it was told is on disk before it is.
 */
export function createMismatches({ store, inbox, now }: { store: Store; inbox: Inbox; now: Clock }) {
  async function untold(): Promise<Ask[]> {
    const found = await store.list({ states: ["mismatched"], order: "newest", limit: MOST });
    return found.filter(({ told, updatedAt }) => !told && now() - updatedAt < WORTH_MS).toReversed();
  }

  async function take(decider: Decider): Promise<MismatchView[]> {
    const told: MismatchView[] = [];
    for (const ask of await untold()) {
      if (!isFor(ask.outcome?.actor, decider)) continue;
      let isFirst = false;
      await inbox.change(ask.id, (current) => {
        isFirst = !current.told;
        return isFirst ? [{ type: "ask.told", to: placeOf(decider) }] : [];
      });
      if (isFirst) told.push(viewOf(ask));
    }
    return told;
  }

  return {
    /** `inside`: the agent's session that the caller really runs inside. */
    tell: (named: Named, inside?: string) => take(deciderOf({ ...named, session: inside ?? named.session })),
    /** A program that decides hears with this decision what went wrong with the ones before. */
    async addTo(ask: AskView, { type, surface, session, program }: Actor): Promise<AskView> {
      if (type === "person" && surface !== "api") return ask;
      const found = await take(deciderOf({ surface, session, program: program ?? "" }));
      return found.length === 0 ? ask : { ...ask, mismatches: found };
    },
  };
}

type Named = { surface: string; session?: string | undefined; program?: string | undefined };

function deciderOf({ surface, session, program }: Named): Decider {
  const isPerson = session === undefined && program === undefined && surface !== "api";
  return {
    type: isPerson ? "person" : "program",
    surface,
    ...(session !== undefined && { session }),
    ...(program && { program }),
  };
}

function viewOf(ask: Ask): MismatchView {
  const text = mismatchesOf(ask, titleOf(ask.origin.agent)).join("\n\n");
  const { project } = ask.origin;
  return { ask: ask.id, at: ask.updatedAt, ...(project !== undefined && { project }), text };
}

/** Where people who answer on one surface look next. */
const LOOK: Record<string, readonly string[]> = { cli: ["cli", "popup"], inbox: ["inbox", "popup"], web: ["web"] };
const SURFACES = new Set(Object.values(LOOK).flat());

/** What a rule of theirs decided, or a button of a notification, people hear wherever they look first. */
function isFor(actor: Actor | undefined, { type, surface, session, program }: Decider): boolean {
  if (!actor || isConfiguredBrain(actor)) return false;
  if (actor.type === "agent" || actor.type === "brain" || actor.surface === "api")
    return type === "program" && actor.surface === surface && actor.session === session && actor.program === program;
  if (type !== "person") return false;
  const isElsewhere = actor.type !== "person" || !SURFACES.has(actor.surface);
  return isElsewhere || (LOOK[surface] ?? []).includes(actor.surface);
}

const isConfiguredBrain = ({ type, name }: Actor) => type === "brain" && name !== undefined;
const placeOf = ({ surface, program }: Decider) => (program === undefined ? surface : `${surface}, ${program}`);
