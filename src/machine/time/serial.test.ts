import { expect, test } from "bun:test";
import { createSerial } from "./serial.ts";

test("[D3] work of one name runs in order, one after the other, also after an error", async () => {
  const serial = createSerial();
  const seen: string[] = [];
  const step = (name: string, fails = false) =>
    serial("s", async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([step("a"), step("b", true), step("c")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("[D4] work of another name does not wait", async () => {
  const serial = createSerial();
  const { promise, resolve } = Promise.withResolvers<string>();
  const stuck = serial("a", () => promise);
  expect(await serial("b", async () => "done")).toBe("done");
  resolve("late");
  expect(await stuck).toBe("late");
});
