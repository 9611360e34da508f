import * as fc from "fast-check";
import { TEXTS } from "./corpus.ts";
import { TEST_MS } from "../patience.ts";

/**
 * Every run is the same run: a failure prints the seed and the path to it. `FUZZ_RUNS=20000` looks longer, `FUZZ_SEED=7`
 * elsewhere.
 */
export function runs(usual: number): fc.Parameters<unknown> {
  return {
    numRuns: Number(process.env["FUZZ_RUNS"]) || usual,
    seed: Number(process.env["FUZZ_SEED"]) || 4747,
    endOnFailure: process.env["CI"] === "true",
  };
}
/** A test's own limit, when it is told to look longer. */
export const PATIENCE_MS = TEST_MS + (Number(process.env["FUZZ_RUNS"]) || 0) * 200;

const GONE = Symbol("gone");
const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;

/** One value of JSON, of a kind nobody expected. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, "", [], {}) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  fc.constantFrom<unknown>(
    "x".repeat(300_000),
    "漢".repeat(50_000),
    "/a".repeat(50_000),
    "\u001b]0;".repeat(20_000),
    `e${"\u0301".repeat(100_000)}`,
    nested(90),
    nested(5000),
    Array.from({ length: 10_000 }, (_, i) => ({ label: `${i}`, description: "" })),
    Array.from({ length: 20_000 }, () => 0),
    Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
    JSON.parse('{"__proto__":{"session_id":"x"},"constructor":1}'),
  ),
);

/** A sample with one to four of its parts replaced by something odd, or gone. */
export function mutated(samples: readonly unknown[], odd = oddValue): fc.Arbitrary<unknown> {
  const change = fc.record({ at: fc.nat(), to: fc.oneof({ weight: 5, arbitrary: odd }, fc.constant(GONE)) });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([sample, changes]) => changes.reduce<unknown>((so, { at, to }) => replaced(so, at, to), sample));
}

/** Counted through in the order of the document, the whole being 0. */
function replaced(value: unknown, at: number, to: unknown): unknown {
  const places = countIn(value);
  return put(value, at % places, to);
}

function put(value: unknown, at: number, to: unknown): unknown {
  if (at === 0) return to === GONE ? {} : to;
  if (typeof value !== "object" || value === null) return value;
  let left = at - 1;
  const parts = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const size = countIn(inner);
    const here = left >= 0 && left < size;
    const next = here ? put(inner, left, to) : inner;
    const isGone = left === 0 && to === GONE;
    left -= size;
    return isGone ? [] : [[key, next]];
  });
  return Array.isArray(value) ? parts.map(([, inner]) => inner) : Object.fromEntries(parts);
}

function countIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  // A deep one counts as one: it is there to be walked by the program, not by the test.
  const inner = Object.values(value);
  if (inner.length === 1 && Array.isArray(inner[0])) return 1;
  return inner.reduce<number>((sum, part) => sum + countIn(part), 1);
}
