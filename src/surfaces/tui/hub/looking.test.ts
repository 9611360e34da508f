import { expect, test } from "bun:test";
import { createLooking } from "./looking.ts";

test("[HI17] who leaves the inbox with a dialog open is looking at nothing any more", () => {
  const told: (string | undefined)[] = [];
  const ending = new AbortController();
  const look = createLooking({ looking: async (_tab, ask) => void told.push(ask) }, ending.signal);
  look("a");
  ending.abort();
  look("b");
  expect(told).toEqual(["a", undefined, undefined]);
});
