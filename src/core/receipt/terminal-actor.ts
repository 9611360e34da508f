import type { Ask } from "../ask/ask.ts";
import type { Actor } from "../ask/outcome.ts";

export const TERMINAL: Actor = { type: "person", surface: "terminal" };

/** Where nothing but the agent's own record says so, it is the agent's word: nobody was seen at the terminal. */
export function terminalSays({ origin: { session } }: Ask, isSeen: boolean): Actor {
  return isSeen ? TERMINAL : { type: "agent", surface: "terminal", ...(session !== undefined && { session }) };
}
