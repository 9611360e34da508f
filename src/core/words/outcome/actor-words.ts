import type { Actor } from "../../ask/outcome.ts";
import { safeLine } from "../../text/text.ts";

/** `by cli`, `in the terminal`: for a sentence that says something else too. */
export function byActor(actor: Actor): string {
  if (actor.surface === "terminal") return inTerminal(actor);
  if (actor.type === "agent") return `by another agent (${placeOf(actor)})`;
  return `by ${safeLine(actor.name ?? actor.surface, { max: 40 })}`;
}

/** `by a person (cli)`: who and where, for a history. Empty: nobody did it, it happened. */
export function byActorInFull(actor: Actor): string {
  const { type, surface, name, session = "" } = actor;
  if (type === "person")
    return surface === "terminal"
      ? "by a person in the terminal"
      : `by ${name === undefined ? "a person" : safeLine(name, { max: 40 })} (${placeOf(actor)})`;
  if (type === "agent" && surface === "terminal") return inTerminal(actor);
  if (type === "agent") return `by an agent (session ${safeLine(session, { max: 80 }).slice(0, 8)}, ${placeOf(actor)})`;
  if (type === "system") return surface === "agent" ? "" : `by ${placeOf(actor)}`;
  return `by ${safeLine(name ?? type, { max: 40 })} (${placeOf(actor)})`;
}

const inTerminal = ({ type }: Actor) =>
  type === "agent" ? "in the terminal, as the agent's own record says" : "in the terminal";

const placeOf = ({ surface }: Actor) => safeLine(surface, { max: 40 });
