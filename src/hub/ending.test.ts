import { expect, test } from "bun:test";
import { createEnding } from "./ending.ts";

test("[HD11] what tells a hub to end twice within a second, as npm does with what the terminal has sent already, is meant once", async () => {
  let now = 5000;
  const ending = createEnding(() => now);
  let isToldAgain = false;
  void ending.again.then(() => (isToldAgain = true));
  const tell = async (signal: NodeJS.Signals) => {
    ending.tell(signal);
    await Promise.resolve();
    return isToldAgain;
  };
  expect(await tell("SIGTERM")).toBe(false);
  expect(await ending.told).toBe("SIGTERM");
  expect(await tell("SIGTERM")).toBe(false);
  now += 1000;
  expect(await tell("SIGINT")).toBe(false);
  now += 1;
  expect(await tell("SIGTERM")).toBe(true);
  expect(await ending.told).toBe("SIGTERM");
});
