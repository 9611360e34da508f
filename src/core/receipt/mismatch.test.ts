import { expect, test } from "bun:test";
import { answered, askOf, delivery, features, question } from "../../../test/sample.ts";
import { mismatchesOf, mismatchText } from "./mismatch.ts";

const naming = question("Naming convention for .mjs files?", ["camelCase", "snake_case", "kebab-case"]);

test("[BR9] a mismatch is told in these words", () => {
  expect(
    mismatchText({
      question: naming.text,
      intended: "option 1 (snake_case)",
      agent: "Claude Code",
      received: "kebab-case",
      key: "toolu_01AJk2",
    }),
  ).toBe(
    `## AskUserQuestion Verification — MISMATCH
**Question:** Naming convention for .mjs files?   **You intended:** option 1 (snake_case)   **Claude Code received:** kebab-case   **tool_use_id:** toolu_01AJk2

Your answer was not submitted correctly. On the next AskUserQuestion, use "Chat about this" or "Type something" to correct this with Claude Code before answering the new question.`,
  );
});

test("[BR10] an Ask tells each place that received something else", () => {
  const mismatched = (key: string, detail: string) => delivery({ key, state: "mismatched", detail });
  const ask = askOf({
    questions: [naming],
    outcome: answered({ picks: [1] }),
    deliveries: [
      mismatched("toolu_1", `sent "snake_case", received "kebab-\\"case\\""`),
      delivery({ key: "toolu_2", state: "verified" }),
      mismatched("toolu_3", "sent an answer, the agent's record says: no"),
      mismatched("toolu_4", `sent "A", received "B", "C, \\"D\\""; sent note "by a policy", received no note`),
      mismatched("toolu_5", `sent "A", received nothing`),
    ],
  });
  const told = mismatchesOf(ask, "Claude Code");
  expect(told).toHaveLength(4);
  expect(told[2]).toContain(`**Claude Code received:** B, C, "D"   **tool_use_id:** toolu_4`);
  expect(told[3]).toContain(`**Claude Code received:** nothing   **tool_use_id:** toolu_5`);
  expect(told[0]).toContain(`**You intended:** option 1 (snake_case)   **Claude Code received:** kebab-"case"   `);
  expect(told[1]).toContain(
    "**Claude Code received:** sent an answer, the agent's record says: no   **tool_use_id:** toolu_3",
  );
});

test("[BR11] what was intended is counted from 0, with own words and several questions", () => {
  const intended = (questions = [features], ...answers: Parameters<typeof answered>) => {
    const deliveries = [delivery({ state: "mismatched", detail: "x" })];
    const [text = ""] = mismatchesOf(askOf({ questions, outcome: answered(...answers), deliveries }), "pi");
    return /You intended:\*\* (.*?) {3}\*\*pi/.exec(text)?.[1];
  };
  expect(intended([features], { picks: [0, 2] })).toBe("options 0, 2 (Auth, Export)");
  expect(intended([features], { picks: [0], text: "mine" })).toBe(`option 0 (Auth) and text "mine"`);
  expect(intended([naming, features], { picks: [], text: "mine" }, { picks: [1] })).toBe(
    `text "mine"; option 1 (A, B)`,
  );
});
