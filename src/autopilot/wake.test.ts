import { expect, test } from "bun:test";
import { createWake } from "./wake.ts";

const captured = (ask: string) => ({ seq: 1, at: 1, v: 1, type: "ask.captured", ask, data: {} }) as never;

test("[WS7] what is asked right after the autopilot was switched on is looked at once, at once", async () => {
  let looks = 0;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const woken: string[] = [];
  const wake = createWake({ isOff: () => (looks++, promise), soon: (ask) => woken.push(ask) });
  wake([captured("a")]);
  wake([captured("b"), { type: "ask.verified", ask: "c" } as never]);
  resolve(false);
  await promise;
  await Promise.resolve();
  expect([looks, woken]).toEqual([1, ["a", "b"]]);
});

test("[WS7] while it is off nothing is done with it", async () => {
  const woken: string[] = [];
  const off = Promise.resolve(true);
  const wake = createWake({ isOff: () => off, soon: (ask) => woken.push(ask) });
  wake([captured("a")]);
  await off;
  await Promise.resolve();
  expect(woken).toEqual([]);
});
