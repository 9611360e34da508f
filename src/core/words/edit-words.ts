import type { Ask } from "../ask/ask.ts";

/** Why it cannot be changed here; undefined: it can. */
export function editRefusal(ask: Pick<Ask, "kind" | "editable">, agent: string): string | undefined {
  if (ask.kind !== "approval") return "Only a call that waits for leave can be changed before it is allowed";
  if (ask.editable) return undefined;
  return `${agent} runs this call as it is: it cannot be changed here`;
}
