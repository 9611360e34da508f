import { expect, test } from "bun:test";
import { isLater, type Later, whole } from "./later.ts";

test("[LT1] what is in a box is waited for where all of it is wanted; whoever waits for the box alone has it at once", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const boxed: Promise<string | Later<string>> = Promise.resolve({ later: promise });
  const all = whole(boxed);
  // Nobody has said anything yet.
  const box = await boxed;
  expect(isLater(box)).toBe(true);
  resolve("said");
  expect(await all).toBe("said");
  expect(await whole(Promise.resolve("at once"))).toBe("at once");
  expect(isLater<object>({ later: "no promise" })).toBe(false);
});
