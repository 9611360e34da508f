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
  const now = createAwakeClock();
  const appeared = now();
  await Bun.sleep(400);
  // Each look counts 100 ms at most: only what it counted in between can make this more.
  await eventually(() => expect(now() - appeared).toBeGreaterThan(300));
});
