import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { checkAnswers } from "../ask/answer/check-answer.ts";
import { FormDraft } from "./draft.ts";
import { type FormAction, type FormState, answers, draftOf, openForm, updateForm } from "./form.ts";
import type { Question } from "../ask/question.ts";

const question = fc
  .record({ count: fc.nat({ max: 4 }), multiSelect: fc.boolean() })
  .map(({ count, multiSelect }): Question => {
    const options = ["A", "B", "C", "D"]
      .slice(0, count)
      .map((label) => ({ label, description: "", recommended: false }));
    return { text: "Which?", header: "Which", multiSelect, options };
  });
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", " ", "mine", " x\n", "\ud800", "\0", "x".repeat(10_001)),
);
const action: fc.Arbitrary<FormAction> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move"), to: fc.integer({ min: -1, max: 6 }) }) },
  fc.record({ kind: fc.constant("move"), by: fc.constantFrom(1, -1, 0.5, Number.NaN, Infinity) }),
  fc.record({
    kind: fc.constantFrom(
      "toggle",
      "choose",
      "choose",
      "openField",
      "closeField",
      "confirmField",
      "next",
      "back",
      "review",
    ),
  }),
  fc.record({ kind: fc.constant("submit") }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("type", "note"), text }) },
  fc.record({ kind: fc.constant("goTo"), question: fc.integer({ min: -1, max: 5 }) }),
);
const answer = fc.record({ picks: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }), text }, { requiredKeys: ["picks"] });
const run = fc.record({
  questions: fc.array(question, { maxLength: 4 }),
  prefill: fc.array(answer, { maxLength: 4 }),
  actions: fc.array(action, { maxLength: 40 }),
});

const check = (holds: (states: FormState[]) => void) =>
  fc.assert(
    fc.property(run, ({ questions, prefill, actions }) => {
      const states = [openForm(questions, { prefill })];
      for (const step of actions) states.push(updateForm(states.at(-1)!, step));
      holds(states);
    }),
    { numRuns: 3000 },
  );

test("[F29] submitted answers always pass the check, unchanged", () => {
  let submitted = 0;
  check((states) => {
    const last = states.at(-1)!;
    if (last.phase !== "submitted") return;
    submitted += 1;
    expect(checkAnswers(last.questions, answers(last))).toEqual({ ok: true, answers: answers(last) });
  });
  expect(submitted).toBeGreaterThan(100);
});

test("[F30] a form reopened from its draft has the same answers and the same draft", () => {
  check((states) => {
    const last = states.at(-1)!;
    const draft = FormDraft.parse(JSON.parse(JSON.stringify(draftOf(last))));
    const reopened = openForm(last.questions, { draft });
    expect(answers(reopened)).toEqual(answers(last));
    expect(draftOf(reopened)).toEqual(draftOf(last));
  });
});

test("[F31] no sequence of actions leaves the questions and rows there are", () => {
  check((states) => {
    for (const state of states) {
      const current = state.questions[state.current];
      if (state.questions.length > 0) expect(current).toBeDefined();
      expect(state.row).toBeGreaterThanOrEqual(0);
      expect(state.row).toBeLessThanOrEqual(current?.options.length ?? 0);
      if (state.phase === "answering") expect(current?.options.length).toBeGreaterThan(0);
    }
  });
});

test("[F32] a single-select never holds two choices", () => {
  check((states) => {
    for (const state of states) {
      const held = answers(state).map(({ picks, text: own }) => picks.length + (own === undefined ? 0 : 1));
      const doubled = state.questions.filter(({ multiSelect }, i) => !multiSelect && (held[i] ?? 0) > 1);
      expect(doubled).toEqual([]);
    }
  });
});
