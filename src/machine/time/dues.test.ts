import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createDues } from "./dues.ts";
import { createWaits } from "./waits.ts";

const HOUR = 3_600_000;
const step = fc.oneof(
  fc.record({ do: fc.constant("set" as const), name: fc.nat(5), in: fc.constantFrom(-1, 0, 1, 2, 3, Infinity) }),
  fc.record({ do: fc.constant("drop" as const), name: fc.nat(5) }),
  fc.record({ do: fc.constant("clock" as const), hours: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ do: fc.constant("take" as const) }),
);

test("[PF11] what is due is what a look at every wait finds, wherever the clock is set", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let clock = 1000 * HOUR;
      const [dues, waits] = [createDues(() => clock), createWaits(() => clock)];
      const waiting = new Map<string, number>();
      for (const each of steps) {
        if (each.do === "clock") clock += each.hours * HOUR;
        const name = "name" in each ? String(each.name) : "";
        if (each.do === "set") {
          const due = clock + each.in * HOUR;
          expect(Math.sign(Math.round(dues.set(name, due) / HOUR))).toBe(
            Math.sign(Math.round(waits.left(name, due) / HOUR)),
          );
          waiting.set(name, due);
        }
        if (each.do === "drop") {
          dues.drop(name);
          waits.drop(name);
          waiting.delete(name);
        }
        // Hours apart: the moments that pass here do not count. The look comes after every turn of the clock.
        const due = [...waiting].filter(([known, at]) => waits.left(known, at) <= 0).map(([known]) => known);
        if (each.do !== "take") {
          expect(dues.left() <= 0).toBe(due.length > 0);
          continue;
        }
        expect(dues.take().toSorted()).toEqual(due.toSorted());
        expect(dues.take()).toEqual([]);
        for (const known of due) waiting.delete(known);
      }
    }),
  );
});

test("[PF12] those that are due at once come in the order in which they were first known", () => {
  const dues = createDues(() => 0);
  const names = Array.from({ length: 50 }, (_, i) => `ask ${i}`);
  for (const name of names) dues.set(name, 1000);
  for (const name of names.toReversed()) dues.set(name, -1);
  expect(dues.take()).toEqual(names);
});
