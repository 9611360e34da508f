import type { AskView } from "../../../../protocol/view.ts";

const DAY_MS = 86_400_000;
export type By = "people" | "policy" | "other" | "open";
export type Day = { at: number } & Record<By, number>;
export type Numbers = { days: Day[]; medianWaitMs: number | undefined } & Record<By, number>;

/** Who ended it: a person, a policy (rule, brain, another agent), nobody, or it is open. */
export function endedBy({ outcome }: AskView): By {
  if (!outcome) return "open";
  const { type, surface } = outcome.actor;
  // Somebody at the terminal, as only the agent's own record says.
  if (type === "system" || (type === "agent" && surface === "terminal")) return "other";
  return type === "person" ? "people" : "policy";
}

/** Contract: `today` is the start of a local day; the last `count` days, oldest first. */
export function numbersOf(asks: readonly AskView[], today: number, count: number): Numbers {
  const days = Array.from({ length: count }, (_, i): Day => ({
    at: today - (count - 1 - i) * DAY_MS,
    people: 0,
    policy: 0,
    other: 0,
    open: 0,
  }));
  const total = { people: 0, policy: 0, other: 0, open: 0 };
  for (const ask of asks) {
    const by = endedBy(ask);
    total[by]++;
    const day = days[count - 1 - Math.floor((today + DAY_MS - 1 - ask.createdAt) / DAY_MS)];
    if (day) day[by]++;
  }
  const waits = asks.flatMap(waitOf).toSorted((a, b) => a - b);
  return { days, medianWaitMs: waits[Math.floor((waits.length - 1) / 2)], ...total };
}

/** Only what somebody decided says how long people wait. */
function waitOf(ask: AskView): number[] {
  return ask.outcome && endedBy(ask) !== "other" ? [ask.outcome.at - ask.createdAt] : [];
}
