import { expect, test } from "bun:test";
import { timeSpan } from "./time-span.ts";

test.each([
  ["90", 90_000],
  ["250ms", 250],
  ["1.5s", 1500],
  ["10m", 600_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
  [" 5s ", 5000],
])("[AS30] %j is %d ms", (text, ms) => {
  expect(timeSpan(text, "--timeout")).toBe(ms);
});

test.each(["", "0", "0s", "-1s", "10 minutes", "1w", "NaN", "1e3", "Infinity", "constructor"])(
  "[AS31] %j is no time, and that is said",
  (text) => {
    expect(() => timeSpan(text, "--timeout")).toThrow(
      `--timeout: expected a time such as 90s, 10m or 2h, not "${text}"`,
    );
  },
);
