import { describe, expect, test } from "bun:test";
import { answered, askOf, question } from "../../../test/sample.ts";
import { pilotTag } from "../../core/words/pilot-line.ts";
import type { AskView } from "../../protocol/view.ts";
import { fittedQuestion, questionLines, questionParts, wholeTexts } from "./question.ts";
import type { Style } from "./terminal.ts";

const none = (text: string) => text;
const PLAIN: Style = { bold: none, dim: none, red: none, green: none, yellow: none, cyan: none };
const mark = (name: string) => (text: string) => `<${name}>${text}</>`;
const MARKED: Style = { ...PLAIN, bold: mark("b"), cyan: mark("c") };
const features = question("Which features?", ["Search", "Export", "Undo"], true);
const view = (more: Partial<AskView> = {}): AskView => ({
  ...askOf({ questions: [features] }),
  agentTitle: "Claude Code",
  sentence: "",
  reachable: true,
  ...more,
});
const page = { style: PLAIN, width: 60 };

describe("what is filled in", () => {
  test("[VB14] is marked, with its own words, until somebody answers; a list says it too", () => {
    const filled = view({ prefill: [{ picks: [0, 2], text: "and fuzzy" }] });
    expect(questionLines(filled, page)[0]).toEqual([
      "[Choice] Which features? (one or more)",
      "• 1. Search",
      "  2. Export",
      "• 3. Undo",
      "• Other: and fuzzy",
    ]);
    expect(pilotTag(filled, 0)).toBe('[filled in: "Search, Undo, and fuzzy"] ');
    const done = { ...filled, state: "verified" as const, outcome: answered({ picks: [1] }) };
    expect(questionLines(done, page)[0]).toContain("✓ 2. Export");
    expect(questionLines(done, page)[0]).toContain("  1. Search");
    expect(pilotTag(done, 0)).toBe("");
  });

  test("[VB14] so is what the autopilot proposes", () => {
    const by = { type: "rule", surface: "autopilot", name: "first" } as const;
    const proposal = { action: "answer" as const, answers: [{ picks: [1] }], by, reason: "" };
    const proposed = view({ autopilot: { state: "suggested", at: 1, why: "", proposal } });
    expect(questionLines(proposed, page)[0]).toContain("• 2. Export");
  });
});

describe("markdown", () => {
  const asked = { ...question("Use **SQLite** or `pg`?\n\n- one file\n- a server", ["A", "B"]), header: "Store" };

  test("[VB24] is drawn where a person reads, and to the letter where a program does", () => {
    const ask = view({ questions: [asked] });
    expect(questionLines(ask, { style: MARKED, width: 90 })[0]?.slice(0, 3)).toEqual([
      "<b>[Store]</> <b>Use</> <b>SQLite</> <b>or</> <c>pg</><b>?</>",
      "• <b>one</> <b>file</>",
      "• <b>a</> <b>server</>",
    ]);
    expect(questionLines(ask, page)[0]?.[0]).toBe("[Store] Use SQLite or `pg`?");
    expect(questionLines(ask, { style: PLAIN, width: Infinity })[0]?.slice(0, 4)).toEqual([
      "[Store] Use **SQLite** or `pg`?",
      "",
      "- one file",
      "- a server",
    ]);
  });

  test("[VB24] a plan is prose; a command stays to the letter", () => {
    const plan = { ...question("Approve this plan?", ["Approve"]), body: "# Plan\n\n1. **Read**\n2. Write" };
    expect(questionLines(view({ kind: "plan", questions: [plan] }), page)[0]?.slice(1, 4)).toEqual([
      "     │ Plan",
      "     │ 1. Read",
      "     │ 2. Write",
    ]);
    const command = { ...plan, body: "$ rm **/*.log" };
    expect(questionLines(view({ kind: "approval", questions: [command] }), page)[0]?.[1]).toBe("     │ $ rm **/*.log");
  });

  test("[VB6] each option says by which number it is chosen", () => {
    const numbers = questionParts(view(), page)[0]?.flatMap(({ number }) => number ?? []);
    expect(numbers).toEqual([1, 2, 3]);
  });
});

describe("what does not fit", () => {
  const wide = { style: PLAIN, width: 80 };
  const many = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${what} ${i + 1}`).join("\n");
  const asks = (body: string | undefined, preview: string | undefined) =>
    ({
      state: "open",
      questions: [
        {
          text: "Apply it?",
          header: "Set-up",
          multiSelect: false,
          ...(body !== undefined && { body }),
          options: [
            {
              label: "Apply",
              description: "write it",
              recommended: false,
              effect: "apply",
              ...(preview && { preview }),
            },
            { label: "Skip", description: "leave it", recommended: false, effect: "skip" },
          ],
        },
      ],
    }) as unknown as AskView;

  test("[FM3] a preview that would push the options off the screen is folded, and one key shows all of it", () => {
    const long = asks(undefined, many("line", 93));
    expect(fittedQuestion(long, wide, 21, "; p shows them")).toEqual([
      "[Set-up] Apply it?",
      "  1. Apply - write it",
      "     │ … 93 lines; p shows them",
      "  2. Skip - leave it",
    ]);
    expect(wholeTexts(long, wide)).toHaveLength(93);
    expect(fittedQuestion(asks(undefined, "small"), wide, 21, "")).toContain("     │ small");
  });

  test("[FM4] of a long body as much is shown as leaves the options in view", () => {
    const lines = fittedQuestion(asks(many("step", 100), undefined), wide, 21, "; p shows them");
    expect([20, 21]).toContain(lines.length);
    expect(lines.at(-1)).toBe("  2. Skip - leave it");
    expect(lines.at(-3)).toMatch(/^ {5}│ … 8\d more lines; p shows them$/);
  });

  test("[FM5] what Parley itself is to do is chosen: there is no Other among the rows", () => {
    expect(fittedQuestion(asks(undefined, undefined), wide, 21, "").join("\n")).not.toContain("Other");
  });
});
