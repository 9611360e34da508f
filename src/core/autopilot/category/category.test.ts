import { expect, test } from "bun:test";
import { agreement, labelledCases } from "../../../../test/autopilot/labelled.ts";
import { question } from "../../../../test/sample.ts";
import { CATEGORY_ADVICE } from "../ladder/advice.ts";
import { CATEGORIES } from "./category-name.ts";
import { classify } from "./category.ts";

const cases = await labelledCases();

test("[AL12] on the questions its words were written with the classifier gets no worse; on others it is right in two of three", () => {
  expect(cases.length).toBeGreaterThanOrEqual(100);
  const heldOut = cases.filter(({ isHeldOut }) => isHeldOut);
  expect(heldOut.length).toBeGreaterThan(40);
  expect(agreement(cases)).toBeGreaterThanOrEqual(0.93);
  expect(agreement(heldOut)).toBeGreaterThanOrEqual(0.93);
});

test("[AL12] every category is in the labelled set and has its advice", () => {
  expect(CATEGORIES.filter((name) => !cases.some(({ category }) => category === name))).toEqual([]);
  expect(Object.keys(CATEGORY_ADVICE).toSorted()).toEqual([...CATEGORIES].toSorted());
});

test("[AL13] a category is told by the shape of a question first, and says why", () => {
  expect(classify(question("Which areas?", ["Auth", "You decide"], true))).toEqual({
    category: "scope-selection",
    why: "several options may be taken",
  });
  expect(classify(question("Which case?", ["snake_case", "You decide"]))).toEqual({
    category: "delegation",
    why: '"you decide" is offered',
  });
  expect(classify(question("Which case?", ["snake_case", "camelCase"]))).toEqual({
    category: "style-preference",
    why: "it is about how things look or are named",
  });
  expect(classify(question("Go on?", ["Yes", "No"])).why).toBe("one option affirms it, another does not");
  expect(classify(question("Map it first?", ["Map it first", "Skip"])).category).toBe("confirmation");
  expect(classify(question("Use Postgres?", ["Use Postgres", "Use SQLite"])).category).toBe("architecture-decision");
  expect(classify(question("What now?", ["Fix it", "Something else"])).category).toBe("open-floor");
  expect(classify(question("Which one?", ["A", "B"]))).toEqual({
    category: "unclassifiable",
    why: "its options say nothing",
  });
});

test("[AL13] a huge or hostile question is classified like any other", () => {
  const huge = question(
    `${"a ".repeat(600_000)}?`,
    Array.from({ length: 10_000 }, (_, i) => `${"x".repeat(500)} ${i}`),
  );
  expect(CATEGORIES).toContain(classify(huge).category);
  expect(classify(question("\u001b[31mGo on?\u202e", ["Y\u200bes", "No"])).category).toBe("confirmation");
});
