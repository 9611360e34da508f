import { expect, test } from "bun:test";
import { usageOfRun } from "./usage.ts";

const own = { turns: 1, inputTokens: 10, outputTokens: 10, costUsd: 0.48 };

test("[TC38] a resumed run costs what it added, whether the agent restored the session's cost or not", () => {
  const first = { costUsd: 0.24, tokens: 20 };
  expect(usageOfRun({ ...own, costUsd: 0.24 }, first, undefined).costUsd).toBe(0.24);
  // 2.1.325: tokens and cost of both runs.
  expect(usageOfRun(own, { costUsd: 0.48, tokens: 40 }, first).costUsd).toBeCloseTo(0.24);
  // 2.1.197: only its own.
  expect(usageOfRun({ ...own, costUsd: 0.24 }, { costUsd: 0.24, tokens: 20 }, first).costUsd).toBe(0.24);
  // Its own, and it was dearer than the one before.
  expect(usageOfRun(own, { costUsd: 0.48, tokens: 20 }, first).costUsd).toBe(0.48);
  // With what other models used beside it.
  expect(usageOfRun(own, { costUsd: 0.5, tokens: 45 }, first).costUsd).toBeCloseTo(0.26);
});
