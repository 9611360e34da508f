import type { Ask } from "../../ask/ask.ts";
import { goesToTask } from "../../ask/ask-state.ts";
import { factsOf, isForTerminal } from "../../ask/channel.ts";

/** `at once`: its agent waits for the answer · `typed`: into its dialog · `seen`: only its terminal answers · `kept`: until it is back. */
export type WayBack = "at once" | "typed" | "seen" | "kept";

const WORDS: Record<WayBack, string> = {
  "at once": "answers at once",
  typed: "types it for you",
  seen: "only seen: answer in its terminal",
  kept: "kept until the agent is back",
};

/** How an answer would reach the agent now. Undefined: it has an outcome, or no agent waits for it but who asked, or Parley. */
export function wayBackOf(ask: Ask & { reachable: boolean }): WayBack | undefined {
  const { outcome, deliveries, reachable } = ask;
  if (outcome || goesToTask(ask)) return undefined;
  if (isForTerminal(ask)) return "seen";
  const waiting = deliveries.filter(({ state }) => state === "waiting");
  if (waiting.some(({ channel }) => channel === "fetch" || channel === "self")) return undefined;
  if (waiting.some(({ channel, typedAt }) => channel === "keys" && typedAt === undefined)) return "typed";
  if (reachable) return "at once";
  return waiting.some(({ channel }) => factsOf(channel)) ? "kept" : undefined;
}

export function wayBackWords(ask: Ask & { reachable: boolean }): string | undefined {
  const way = wayBackOf(ask);
  return way && WORDS[way];
}
