import { expect, test } from "bun:test";
import { REASONS } from "./waiting-reason.ts";

test("[FM11] what a task waits for has the name that its question has", () => {
  const { elicitation, ...named } = REASONS;
  expect(elicitation).toBe("question");
  expect(Object.keys(named)).toEqual(Object.values(named));
});
