import { expect, test } from "bun:test";
import { createWaits } from "./waits.ts";

const HOUR = 3_600_000;

test("[MX40] a wait is never longer than it was meant to be, wherever the clock is set", () => {
  let clock = 10 * HOUR;
  const waits = createWaits(() => clock);
  const due = clock + 5000;
  expect(waits.left("a", due, clock)).toBeWithin(4000, 5001);
  clock -= HOUR;
  expect(waits.left("a", due, 10 * HOUR)).toBeWithin(0, 5001);
  // Another daemon, started after the clock was set back.
  expect(createWaits(() => clock).left("a", due, 10 * HOUR)).toBeWithin(4000, 5001);
  clock += 2 * HOUR;
  expect(waits.left("a", due, 10 * HOUR)).toBeLessThanOrEqual(0);
  // It was over: setting the clock back does not begin it anew.
  clock -= 2 * HOUR;
  expect(waits.left("a", due, 10 * HOUR)).toBeLessThanOrEqual(0);
  expect(waits.left("a", due + 9000, 10 * HOUR)).toBeGreaterThan(5000);
});
