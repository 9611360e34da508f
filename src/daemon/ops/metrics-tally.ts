import { z } from "zod";
import { Ask } from "../../core/ask/ask.ts";
import { isDone } from "../../core/ask/ask-state.ts";
import type { AskEvent, LogEvent } from "../../core/ask/event.ts";
import { applyAskEvent } from "../../core/ask/lifecycle.ts";

/** Seconds. */
export const WAIT_LIMITS = [1, 5, 15, 30, 60, 300, 900, 3600, 14_400, 86_400];
export const RECEIPT_LIMITS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];
/** Surfaces are named by whoever settles; a metric must not get as many rows as somebody can invent names. */
const MOST_SURFACES = 20;
const MOST_TYPES = 60;

/** Keys are label values, with a space between several. */
const Counter = z.record(z.string(), z.number());
const Spread = z.record(z.string(), z.object({ counts: z.array(z.number()), sum: z.number() }));

/**
 * What the event log adds up to. It is kept in a file with the last event it has seen, so that a start reads only
 * what came after: the log may have millions.
 */
export const Tally = z.object({
  /** The file it was counted from. */
  database: z.string(),
  seq: z.number().int(),
  /** When that event was. */
  at: z.number(),
  events: Counter,
  captured: Counter,
  settled: Counter,
  done: Counter,
  deliveries: Counter,
  waits: Spread,
  receipts: Spread,
  /** Asks that are not done, without their words. */
  active: z.record(z.string(), Ask),
});
export type Tally = z.infer<typeof Tally>;

export function emptyTally(database = ""): Tally {
  const counters = { events: {}, captured: {}, settled: {}, done: {}, deliveries: {}, waits: {}, receipts: {} };
  return { database, seq: 0, at: 0, ...counters, active: {} };
}

/** Adds one event. Contract: they come in the order of the log; one that was counted is not counted again. */
export function count(tally: Tally, { seq, at, type, ask: id, data }: LogEvent): void {
  if (seq <= tally.seq) return;
  [tally.seq, tally.at] = [seq, at];
  add(tally.events, hasRoom(tally.events, type) ? type : "other");
  if (id === undefined) return;
  const before = tally.active[id];
  const event = data as AskEvent;
  if (event.type === "ask.captured") {
    add(tally.captured, event.kind);
    tally.active[id] = applyAskEvent(undefined, wordless(event), { id, at });
    return;
  }
  if (!before) return;
  const after = applyAskEvent(before, event, { id, at });
  // Not what led to it, nor what was answered: it is kept for each that waits, in memory and in a file.
  tally.active[id] = slim(after, before.origin);
  countDeliveries(tally, before, after);
  if (!before.outcome && after.outcome) {
    const { type: outcome, actor } = after.outcome;
    const named = `${after.kind} ${outcome} ${actor.type}`;
    const same = `${named} ${actor.surface}`;
    // Nearly always: to look whether there is room for another name costs more than all the rest.
    const isKnown = !/\s/.test(actor.surface) && Object.hasOwn(tally.settled, same);
    add(tally.settled, isKnown ? same : `${named} ${surfaceIn(tally, actor.surface)}`);
    observe(tally.waits, after.kind, WAIT_LIMITS, at - after.createdAt);
  }
  if (!isDone(after)) return;
  add(tally.done, [after.kind, after.state, after.outcome?.type ?? "none"].join(" "));
  if (after.state === "verified") observe(tally.receipts, after.kind, RECEIPT_LIMITS, at - (after.outcome?.at ?? at));
  delete tally.active[id];
}

function slim(ask: Ask, origin: Ask["origin"]): Ask {
  const { id, version, kind, state, deliveries, outcome, createdAt, updatedAt } = ask;
  const { type, actor, at } = outcome ?? {};
  const ended = type && actor && at !== undefined ? { outcome: { type, actor, at } } : {};
  return { id, version, kind, state, questions: NONE, origin, deliveries, createdAt, updatedAt, ...ended };
}

const NONE: Ask["questions"] = [];

function wordless(event: AskEvent & { type: "ask.captured" }): AskEvent {
  const { kind, key, channel, origin } = event;
  return { type: "ask.captured", kind, key, channel, questions: NONE, origin: { agent: origin.agent } };
}

function countDeliveries({ deliveries }: Tally, before: Ask, after: Ask): void {
  const states = new Map(before.deliveries.map(({ key, state }) => [key, state]));
  for (const { key, state } of after.deliveries)
    if (state !== "waiting" && states.get(key) !== state) add(deliveries, state);
}

function add(counter: Record<string, number>, key: string): void {
  counter[key] = (counter[key] ?? 0) + 1;
}

function hasRoom(counter: Record<string, number>, key: string): boolean {
  return Object.hasOwn(counter, key) || Object.keys(counter).length < MOST_TYPES;
}

function surfaceIn({ settled }: Tally, name: string): string {
  const word = name.replaceAll(/\s/g, "-");
  const known = new Set(Object.keys(settled).map((key) => key.split(" ")[3]));
  return known.has(word) || known.size < MOST_SURFACES ? word : "other";
}

function observe(spread: Tally["waits"], key: string, limits: readonly number[], ms: number): void {
  const seconds = Math.max(0, ms) / 1000;
  const of = (spread[key] ??= { counts: Array.from({ length: limits.length + 1 }, () => 0), sum: 0 });
  const place = limits.findIndex((limit) => seconds <= limit);
  const bucket = place === -1 ? limits.length : place;
  of.counts[bucket] = (of.counts[bucket] ?? 0) + 1;
  of.sum += seconds;
}
