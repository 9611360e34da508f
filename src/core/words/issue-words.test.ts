import { expect, test } from "bun:test";
import { z } from "zod";
import { readActions } from "../ask/answer/action.ts";
import { issueWords } from "./issue-words.ts";

const Thing = z.strictObject({
  name: z.string().min(1).max(5),
  list: z.array(z.string()).min(2).optional(),
  kind: z.enum(["a", "b", "c"]).optional(),
  count: z.number().int().min(3).optional(),
  own: z.string({ error: "my own words" }).optional(),
});
const words = (value: unknown) => (Thing.safeParse(value).error?.issues ?? []).map(issueWords);

test.each([
  [[], ["expected an object, not a list"]],
  [{}, ["is missing; expected text"]],
  [{ name: 5 }, ["expected text, not a number"]],
  [{ name: "" }, ["must not be empty"]],
  [{ name: "too long" }, ["at most 5 characters allowed"]],
  [{ name: "x", list: ["a"] }, ["expected at least 2 entries"]],
  [{ name: "x", kind: "d" }, ["expected a, b or c"]],
  [{ name: "x", count: 1 }, ["expected at least 3"]],
  [{ name: "x", count: 1.5 }, ["expected a whole number"]],
  [{ name: "x", extra: 1, more: 2 }, ["extra, more are unknown"]],
  [{ name: "x", own: 1 }, ["my own words"]],
])("[FM17] what a schema refuses is said in a sentence: %j", (value, said) => {
  expect(words(value)).toEqual(said as never);
});

test("[FM18] actions that are none are refused in a sentence, at a place that has a name", () => {
  const refused = (given: unknown) => {
    try {
      return readActions([], given);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const lead = "These actions do not answer the question: ";
  expect(refused({})).toBe(`${lead}actions: expected a list, not an object`);
  expect(refused([{ action: "fly" }])).toBe(`${lead}actions.0.action: expected select, type, multi-select or chat`);
});
