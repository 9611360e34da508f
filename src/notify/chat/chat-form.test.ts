import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { askOf } from "../../../test/sample.ts";
import { checkAnswers } from "../../core/ask/answer/check-answer.ts";
import { newDraft } from "./chat-draft.ts";
import { chatStep, chatView } from "./chat-form.ts";
import { isPressable } from "./pressable.ts";
import { buttonData, readButton } from "./button-data.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.nat(5000).map((n) => "🙂".repeat(n)),
  fc.constantFrom("", "\u001b[31m", "\ud800", "a\u202eb", "x".repeat(9000)),
);
const option = fc.record({
  label: text,
  description: text,
  recommended: fc.boolean(),
  stakes: fc.constantFrom(undefined, "high" as const),
  effect: fc.constantFrom(undefined, "cancel", "allow", "deny"),
});
const question = fc.record({
  text,
  header: text,
  body: fc.option(text, { nil: undefined }),
  multiSelect: fc.boolean(),
  options: fc.array(option, { maxLength: 60 }),
  field: fc.option(
    fc.record({
      name: fc.constant("f"),
      type: fc.constantFrom("text", "integer", "choice", "choices", "address", "later"),
      optional: fc.boolean(),
      secret: fc.constantFrom(undefined, true),
      max: fc.constantFrom(undefined, 3),
    }),
    { nil: undefined, freq: 3 },
  ),
});
const kind = fc.constantFrom("question" as const, "approval" as const, "idle" as const, "elicitation" as const);
const input = fc.oneof(
  fc.record({ type: fc.constant("press" as const), question: fc.nat(4), option: fc.nat(70) }),
  fc.record({ type: fc.constant("tick" as const), question: fc.nat(4), option: fc.nat(70), on: fc.boolean() }),
  fc.record({ type: fc.constantFrom("done" as const, "pass" as const), question: fc.nat(4) }),
  fc.record({ type: fc.constantFrom("send" as const, "restart" as const) }),
  fc.record({
    type: fc.constant("words" as const),
    text: fc.oneof(text, fc.constantFrom("1", "2 3", "note: x", "99")),
  }),
);

test("[MG14] whatever is asked and whatever comes back: messages fit, and only what may be chosen there is answered", () => {
  fc.assert(
    fc.property(
      fc.array(question, { minLength: 1, maxLength: 4 }),
      kind,
      fc.array(input, { maxLength: 12 }),
      (questions, of, inputs) => {
        const ask = askOf({ kind: of, questions });
        let draft = newDraft(ask);
        for (const [i, given] of inputs.entries()) {
          const { text: shown, hint, buttons } = chatView(ask, draft, "Claude Code", { approvals: true });
          const whole = [shown, hint].filter(Boolean).join("\n\n");
          expect(whole.length).toBeLessThanOrEqual(4000);
          expect(whole.toWellFormed()).toBe(whole);
          expect(whole.trim()).not.toBe("");
          expect(buttons.length).toBeLessThanOrEqual(100);
          for (const button of buttons) {
            const data = buttonData(ask.id, 4_000_000, button.input);
            expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
            expect(readButton(data)).toEqual({ ask: ask.id, version: 4_000_000, input: button.input });
            expect(button.label.trim()).not.toBe("");
          }
          const step = chatStep(ask, draft, String(i), given, { approvals: true });
          if ("draft" in step) draft = step.draft;
          if (!("answers" in step)) continue;
          expect(of).not.toBe("idle");
          expect(step.answers).toHaveLength(questions.length);
          expect(checkAnswers(ask.questions, step.answers).ok).toBe(true);
          for (const { field } of questions)
            expect(["address", "later", field?.secret && field.type]).not.toContain(field?.type ?? "none");
          for (const [at, { picks }] of step.answers.entries())
            for (const pick of picks) expect(isPressable(ask.questions[at]?.options[pick])).toBe(true);
          return;
        }
      },
    ),
    { numRuns: 150 },
  );
});
