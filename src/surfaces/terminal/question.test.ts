import { expect, test } from "bun:test";
import type { AskView } from "../../protocol/view.ts";
import { fittedQuestion, wholeTexts } from "./question.ts";

const plain = (text: string) => text;
const page = { width: 80, style: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain } };
const many = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${what} ${i + 1}`).join("\n");
const ask = (body: string | undefined, preview: string | undefined) =>
  ({
    state: "open",
    questions: [
      {
        text: "Apply it?",
        header: "Set-up",
        multiSelect: false,
        ...(body !== undefined && { body }),
        options: [
          { label: "Apply", description: "write it", recommended: false, effect: "apply", ...(preview && { preview }) },
          { label: "Skip", description: "leave it", recommended: false, effect: "skip" },
        ],
      },
    ],
  }) as unknown as AskView;

test("[FM3] a preview that would push the options off the screen is folded, and one key shows all of it", () => {
  const long = ask(undefined, many("line", 93));
  expect(fittedQuestion(long, page, 21, "; p shows them")).toEqual([
    "[Set-up] Apply it?",
    "  1. Apply - write it",
    "     │ … 93 lines; p shows them",
    "  2. Skip - leave it",
  ]);
  expect(wholeTexts(long, page)).toHaveLength(93);
  expect(fittedQuestion(ask(undefined, "small"), page, 21, "")).toContain("     │ small");
});

test("[FM4] of a long body as much is shown as leaves the options in view", () => {
  const lines = fittedQuestion(ask(many("step", 100), undefined), page, 21, "; p shows them");
  expect([20, 21]).toContain(lines.length);
  expect(lines.at(-1)).toBe("  2. Skip - leave it");
  expect(lines.at(-3)).toMatch(/^ {5}│ … 8\d more lines; p shows them$/);
});

test("[FM5] what Parley itself is to do is chosen: there is no Other among the rows", () => {
  expect(fittedQuestion(ask(undefined, undefined), page, 21, "").join("\n")).not.toContain("Other");
});
