import * as fc from "fast-check";
import { mutated, oddValue } from "../fuzz.ts";
import { DOORS, type Door } from "./doors.ts";
import { measured, metered, type Meter, tooMuch } from "./work.ts";

/** A finding that is kept: what was sent, in this order, and where. */
export type Finding = { door: string; values: unknown[] };
export type Played = { inputs: number; found?: Finding & { error: string } };

/** Of the kind that JSON can say and JavaScript stumbles over. */
const TRAPS = fc.constantFrom<unknown>(
  ...[
    '{"toString":null,"valueOf":null}',
    '{"toString":1}',
    '{"__proto__":null}',
    '{"constructor":null,"hasOwnProperty":1}',
    '{"length":1e9}',
    '{"toJSON":1,"then":1}',
    '[{"toString":null}]',
    '[[[[[[[["x"]]]]]]]]',
    '"__proto__"',
    '"constructor"',
    "1e400",
    "-0",
    '"\\ud800"',
  ].map((text) => JSON.parse(text) as unknown),
);

/** One to five messages: as recorded, bent, with a part of another one in it, or something else altogether. */
function streamFor({ samples }: Door): fc.Arbitrary<unknown[]> {
  const whole = fc.constantFrom(...samples);
  const one = fc.oneof(
    { weight: 3, arbitrary: whole },
    { weight: 6, arbitrary: mutated(samples) },
    { weight: 2, arbitrary: crossed(samples) },
    { weight: 3, arbitrary: mutated(samples, TRAPS) },
    { weight: 1, arbitrary: oddValue },
  );
  // In the order in which they were recorded, one of them bent: what is understood depends on what came before.
  const course = fc
    .tuple(fc.nat(samples.length - 1), fc.integer({ min: 2, max: 12 }), fc.nat(), one)
    .map(([from, length, at, other]) => {
      const part = samples.slice(from, from + length);
      return part.with(at % part.length, other);
    });
  return fc.oneof(fc.array(one, { minLength: 1, maxLength: 5 }), course);
}

/** Two messages become one that has the fields of both. */
const crossed = (samples: readonly unknown[]) =>
  fc
    .tuple(fc.constantFrom(...samples), fc.constantFrom(...samples))
    .map(([a, b]) =>
      isPlain(a) && isPlain(b) ? { ...b, ...a, ...Object.fromEntries(Object.entries(b).slice(-1)) } : a,
    );
const isPlain = (value: unknown): value is object => typeof value === "object" && value !== null;

/** What is wrong with it; undefined when nothing is. */
export async function wrongIn(door: Door, values: readonly unknown[]): Promise<string | undefined> {
  const meter: Meter = { looks: 0, parsed: 0 };
  try {
    await measured(meter, () => door.play(values.map((value) => metered(value, meter))));
  } catch (error) {
    return (error as Error).stack ?? String(error);
  }
  return tooMuch(meter, values);
}

export async function playDoor(door: Door, seed: number, numRuns: number): Promise<Played> {
  let inputs = 0;
  const property = fc.asyncProperty(streamFor(door), async (values) => {
    inputs += values.length;
    const wrong = await wrongIn(door, values);
    if (wrong !== undefined) throw new Error(wrong);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns });
  if (!failed) return { inputs };
  const values = counterexample?.[0] ?? [];
  return { inputs, found: { door: door.name, values, error: (errorInstance as Error).message } };
}

export const doorNamed = (name: string): Door => {
  const door = DOORS.find((each) => each.name === name);
  if (!door) throw new Error(`there is no door ${name}`);
  return door;
};
