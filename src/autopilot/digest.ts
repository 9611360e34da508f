import { isAutopilot } from "../core/ask/answer/agreement.ts";
import type { Ask } from "../core/ask/ask.ts";
import { newestAsks } from "../store/newest-asks.ts";
import type { Store } from "../store/store.ts";

/** What became of the questions of one project. Each is where a person looks for it first. */
export type ProjectDigest = {
  project: string;
  answered: Ask[];
  suggested: Ask[];
  left: Ask[];
  mismatched: Ask[];
  undone: Ask[];
  savedMs: number;
};

const DAY_MS = 86_400_000;

/** What became of the questions since then. */
export async function digestSince(store: Store, since: number, now: number): Promise<ProjectDigest[]> {
  const asks: Ask[] = [];
  const people: number[] = [];
  // What was asked a day before may have been answered now.
  for await (const ask of newestAsks(store, ({ createdAt }) => createdAt < since - DAY_MS)) {
    if ((ask.outcome?.at ?? ask.createdAt) >= since || !ask.outcome) asks.push(ask);
    if (ask.outcome?.actor.type === "person") people.push(ask.outcome.at);
  }
  return digestOf(asks, people, now);
}

/** The same in numbers. */
export const countsOf = (projects: readonly ProjectDigest[]) =>
  projects.map(({ project, answered, suggested, left, mismatched, undone }) => ({
    project,
    answered: answered.length,
    suggested: suggested.length,
    left: left.length,
    mismatched: mismatched.length,
    undone: undone.length,
  }));

/** `asks`: all that were asked or ended since; `people`: when a person did something with any question, in any order. */
export function digestOf(asks: readonly Ask[], people: readonly number[], now: number): ProjectDigest[] {
  const projects = Map.groupBy(asks, ({ origin }) => origin.project ?? origin.agent);
  return [...projects]
    .map(([project, own]) => ({
      project,
      answered: own.filter((ask) => placeOf(ask) === "answered"),
      suggested: own.filter((ask) => placeOf(ask) === "suggested"),
      left: own.filter((ask) => placeOf(ask) === "left"),
      mismatched: own.filter((ask) => placeOf(ask) === "mismatched"),
      undone: own.filter((ask) => placeOf(ask) === "undone"),
      savedMs: savedBy(own, people, now),
    }))
    .filter((each) => SHOWN.some((place) => each[place].length > 0))
    .toSorted((a, b) => b.answered.length - a.answered.length || (a.project < b.project ? -1 : 1));
}

const SHOWN = ["answered", "suggested", "left", "mismatched", "undone"] as const;

function placeOf(ask: Ask): (typeof SHOWN)[number] | undefined {
  const { outcome, autopilot, state } = ask;
  if (!autopilot) return undefined;
  if (state === "mismatched") return "mismatched";
  if (outcome && isAutopilot(outcome.actor)) return "answered";
  if (autopilot.takenBack) return "undone";
  if (autopilot.state === "held") return undefined;
  if (autopilot.proposal && !outcome) return "suggested";
  return outcome ? undefined : "left";
}

/**
 * How long agents would have waited until their person did anything again. One agent waits once: had it waited, it would
 * not have asked the next.
 */
export function savedBy(asks: readonly Ask[], people: readonly number[], now: number): number {
  const times = people.toSorted((a, b) => a - b);
  const back = (at: number) => times.find((time) => time > at) ?? now;
  const waits = new Map<string, number>();
  for (const { id, outcome, origin } of asks.toSorted((a, b) => a.createdAt - b.createdAt)) {
    if (!outcome || !isAutopilot(outcome.actor)) continue;
    const until = back(outcome.at);
    const wait = `${origin.session ?? origin.inside ?? origin.task ?? id} ${until}`;
    if (!waits.has(wait)) waits.set(wait, until - outcome.at);
  }
  return [...waits.values()].reduce((sum, ms) => sum + ms, 0);
}
