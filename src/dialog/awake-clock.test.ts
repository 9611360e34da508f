import { expect, test } from "bun:test";
import { eventually } from "../../test/patience.ts";
import { createAwakeClock } from "./awake-clock.ts";

test("[DG60] what a process slept through does not count as time that passed before its eyes", () => {
  let wall = 1000;
  const now = createAwakeClock(() => wall);
  const appeared = now();
  wall += 20;
  expect(now() - appeared).toBe(20);
  wall += 60_000;
  expect(now() - appeared).toBe(120);
  wall -= 5000;
  expect(now() - appeared).toBe(120);
});

test("[DG60] while it is awake it counts by itself, however seldom it is asked", async () => {
  let looks = 0;
  const now = createAwakeClock(() => 60 * ++looks);
  const appeared = now();
  await eventually(() => expect(looks).toBeGreaterThan(10));
  expect(now() - appeared).toBeGreaterThan(300);
});
