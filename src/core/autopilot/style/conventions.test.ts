import { expect, test } from "bun:test";
import { question } from "../../../../test/sample.ts";
import { countersFor, followed } from "./conventions.ts";

const counted = (text: string, labels: string[], files: { name: string; text: string }[]) => {
  const asked = question(text, labels);
  const counters = countersFor(asked);
  return (
    counters &&
    followed(
      asked,
      counters.map((count) => count && files.reduce((sum, file) => sum + count(file), 0)),
    )
  );
};
const CODE = [
  { name: "read-file.ts", text: `${"  const someName = readFile('x');\n".repeat(30)}const other_name = 1;\n` },
  { name: "write-file.ts", text: "  if (isReady) goOn('y');\n".repeat(10) },
];

test("[GA10] what the options name is counted in the code, and the answer says what was found", () => {
  expect(counted("Which naming style?", ["snake_case", "camelCase (Recommended)"], CODE)).toEqual({
    pick: 1,
    why: "camelCase 80 : snake_case 1",
  });
  expect(counted("How should files be named?", ["kebab-case", "camelCase"], CODE)?.why).toBe(
    "the code does not say: kebab-case 2 : camelCase 0",
  );
  expect(counted("Tabs or spaces?", ["Tabs", "2 spaces", "4 spaces"], CODE)?.pick).toBe(1);
  expect(counted("Which quotes?", ["Single quotes", "Double quotes"], CODE)?.pick).toBe(0);
  expect(counted("Semicolons?", ["Semicolons", "No semicolons"], CODE)?.pick).toBe(0);
  const libraries = [{ name: "a.ts", text: 'import { test } from "vitest"; // Vitest\n'.repeat(12) }];
  expect(counted("Which test library?", ["Vitest", "Jest", "You decide"], libraries)).toEqual({
    pick: 0,
    why: "Vitest 12 : Jest 0",
  });
});

test("[GA10] where the code does not clearly follow one, or an option names nothing in it, nothing is proposed", () => {
  expect(
    counted("Which naming style?", ["snake_case", "camelCase"], [{ name: "a", text: "oneName two_names" }])?.pick,
  ).toBeUndefined();
  expect(counted("Which tone?", ["Warm and friendly", "Dry"], CODE)).toBeUndefined();
  expect(countersFor(question("Which?", ["camelCase", "snake_case"], true))).toBeUndefined();
});
