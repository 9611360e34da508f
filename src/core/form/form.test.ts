import { describe, expect, test } from "bun:test";
import { type FormAction, type FormState, answers, draftOf, isDirty, openForm, updateForm } from "./form.ts";
import { FormDraft } from "./draft.ts";
import { isSelected } from "./entry.ts";
import type { Question } from "../ask/question.ts";

const ask = (labels: string, multiSelect = false): Question => ({
  text: "Which?",
  header: "Which",
  multiSelect,
  options: labels.split("").map((label) => ({ label, description: "", recommended: false })),
});
const single = ask("ABC");
const multi = ask("ABC", true);
const open = ask("");

type Step = FormAction | Extract<FormAction["kind"], "toggle" | "choose" | "next" | "back" | "review" | "submit">;
const to = (row: number): FormAction => ({ kind: "move", to: row });
const typed = (text: string): FormAction => ({ kind: "type", text });
const note = (text: string): FormAction => ({ kind: "note", text });
const goTo = (question: number): FormAction => ({ kind: "goTo", question });
const openField: FormAction = { kind: "openField" };
const closeField: FormAction = { kind: "closeField" };
const confirmField: FormAction = { kind: "confirmField" };

function run(start: FormState, ...steps: Step[]): FormState {
  return steps.reduce<FormState>(
    (state, step) => updateForm(state, typeof step === "string" ? { kind: step } : step),
    start,
  );
}
const form = (...questions: Question[]) => openForm(questions);

describe("the list", () => {
  test("[F1] rows are the options and, last, Other; moving stops at the ends", () => {
    expect(run(form(single), { kind: "move", by: -1 }).row).toBe(0);
    expect(run(form(single), { kind: "move", by: 1 }, { kind: "move", by: 1 }).row).toBe(2);
    expect(run(form(single), to(99)).row).toBe(3);
    expect(run(form(single), { kind: "move", by: Number.NaN }).row).toBe(0);
  });

  test("[F2] Space toggles in multi-select and replaces in single-select", () => {
    expect(answers(run(form(multi), to(2), "toggle", to(0), "toggle"))).toEqual([{ picks: [0, 2] }]);
    expect(answers(run(form(multi), "toggle", "toggle"))).toEqual([{ picks: [] }]);
    expect(answers(run(form(single), "toggle", to(1), "toggle", "toggle"))).toEqual([{ picks: [1] }]);
  });

  test("[F3] Enter chooses the option of a single-select and goes on", () => {
    const state = run(form(single, multi), to(1), "choose");
    expect(state).toMatchObject({ phase: "answering", current: 1 });
    expect(answers(state)[0]).toEqual({ picks: [1] });
  });

  test("[F4] Enter confirms a multi-select and goes on", () => {
    expect(run(form(multi, single), "toggle", to(2), "choose")).toMatchObject({ phase: "answering", current: 1 });
  });

  test("[F5] a multi-select without a choice is not confirmed", () => {
    const state = run(form(multi, single), "choose");
    expect(state).toMatchObject({ phase: "answering", current: 0, errors: { 0: "Select at least one option" } });
  });

  test("[F6] an error goes away with the next change of its question", () => {
    const wrong = run(form(multi, single), "choose");
    expect(run(wrong, to(1)).errors).toEqual({ 0: "Select at least one option" });
    expect(run(wrong, "next", "back").errors).toEqual({ 0: "Select at least one option" });
    expect(run(wrong, "toggle").errors).toEqual({});
    expect(run(wrong, note("x")).errors).toEqual({});
  });
});

describe("Other", () => {
  test("[F7] Enter or Space on Other without text opens the field, openField always does", () => {
    for (const question of [single, multi]) {
      expect(run(form(question), to(3), "choose").phase).toBe("field");
      expect(run(form(question), to(3), "toggle").phase).toBe("field");
      expect(run(form(question), openField)).toMatchObject({ phase: "field", row: 3 });
    }
  });

  test("[F8] Enter in an empty field is an error and stays", () => {
    const state = run(form(single), openField, typed("  "), confirmField);
    expect(state).toMatchObject({ phase: "field", errors: { 0: "Other selected but no text entered" } });
    expect(run(state, typed("x")).errors).toEqual({});
    expect(run(state, closeField).errors).toEqual({});
  });

  test("[F9] confirmed text replaces the pick of a single-select and goes on", () => {
    const state = run(form(single, multi), "toggle", openField, typed(" mine "), confirmField);
    expect(state).toMatchObject({ phase: "answering", current: 1 });
    expect(answers(state)[0]).toEqual({ picks: [], text: "mine" });
  });

  test("[F10] confirmed text joins the picks of a multi-select and goes back to its list", () => {
    const state = run(form(multi), "toggle", openField, typed("mine"), "choose");
    expect(state).toMatchObject({ phase: "answering", row: 3 });
    expect(answers(state)).toEqual([{ picks: [0], text: "mine" }]);
    expect(run(state, "choose").phase).toBe("submitted");
  });

  test("[F11] Esc in the field keeps the text without selecting it", () => {
    const state = run(form(single), "toggle", openField, typed("mine"), closeField);
    expect(state.phase).toBe("answering");
    expect(answers(state)).toEqual([{ picks: [0] }]);
    expect(state.entries[0]?.text).toBe("mine");
  });

  test("[F12] Space on Other with text selects it; in multi-select Space again unselects and keeps the text", () => {
    const kept = [openField, typed("mine"), closeField, "toggle"] as const;
    expect(answers(run(form(single), ...kept))).toEqual([{ picks: [], text: "mine" }]);
    const off = run(form(multi), ...kept, "toggle");
    expect(answers(off)).toEqual([{ picks: [] }]);
    expect(answers(run(off, "toggle"))).toEqual([{ picks: [], text: "mine" }]);
  });

  test("[F13] Enter on Other with text chooses it in single-select, shows the field in multi-select", () => {
    const kept = [openField, typed("mine"), closeField, "choose"] as const;
    expect(run(form(single), ...kept).phase).toBe("submitted");
    expect(run(form(multi), ...kept).phase).toBe("field");
  });

  test("[F14] picking an option of a single-select unselects Other and keeps its text", () => {
    const state = run(form(single, multi), openField, typed("mine"), confirmField, "back", to(0), "toggle");
    expect(answers(state)[0]).toEqual({ picks: [0] });
    expect(state.entries[0]?.text).toBe("mine");
  });

  test("[F15] leaving an open field for elsewhere selects the text in it", () => {
    for (const leave of ["next", "review", "submit", goTo(1)] as const) {
      const state = run(form(single, multi), "toggle", openField, typed("mine"), leave);
      expect(answers(state)[0]).toEqual({ picks: [], text: "mine" });
    }
    expect(answers(run(form(single, multi), "toggle", openField, typed(" "), "next"))[0]).toEqual({ picks: [0] });
  });

  test("[F16] text typed while no field is open changes nothing", () => {
    const state = form(single);
    expect(run(state, typed("x"))).toEqual(state);
  });

  test("[F17] a question without options is only the field", () => {
    const state = form(open, single);
    expect(state.phase).toBe("field");
    expect(run(state, closeField).phase).toBe("field");
    expect(run(state, "choose").errors).toEqual({ 0: "No text entered" });
    expect(answers(run(state, typed("mine"), "choose"))[0]).toEqual({ picks: [], text: "mine" });
    expect(run(form(single, open), "choose").phase).toBe("field");
    expect(run(form(open), typed("mine"), "choose").phase).toBe("submitted");
  });
});

describe("the way through", () => {
  test("[F18] a lone question is submitted when it is confirmed, without a review", () => {
    expect(run(form(single), "choose").phase).toBe("submitted");
    expect(run(form(multi), "toggle", "choose").phase).toBe("submitted");
    expect(run(form(single), openField, typed("x"), confirmField).phase).toBe("submitted");
    expect(run(form(single), "review").phase).toBe("answering");
    expect(run(form(single), "next").phase).toBe("answering");
  });

  test("[F19] several questions end in a review, and Enter there submits", () => {
    const state = run(form(single, single), "choose", "choose");
    expect(state.phase).toBe("review");
    expect(run(state, "choose").phase).toBe("submitted");
    expect(run(state, "submit").phase).toBe("submitted");
  });

  test("[F20] next, back, goTo and review go anywhere without an answer", () => {
    const state = form(single, multi, open);
    expect(run(state, "next").current).toBe(1);
    expect(run(state, "next", "next", "next").phase).toBe("review");
    expect(run(state, "review", "back")).toMatchObject({ phase: "answering", current: 0 });
    expect(run(state, goTo(2))).toMatchObject({ phase: "field", current: 2 });
    expect(run(state, goTo(7))).toEqual(state);
    expect(run(state, "back")).toEqual(state);
  });

  test("[F21] submitting with answers missing goes to the first bad question and marks all of them", () => {
    const state = run(form(single, multi, open), "choose", "review", "submit");
    expect(state).toMatchObject({
      phase: "answering",
      current: 1,
      errors: { 1: "Select at least one option", 2: "No text entered" },
    });
  });

  test("[F21] a selected Other whose text was cleared is found at the submit", () => {
    const state = run(form(multi), openField, typed("x"), confirmField, openField, typed(""), closeField, "submit");
    expect(state).toMatchObject({ phase: "answering", errors: { 0: "Other selected but no text entered" } });
  });

  test("[F22] what answers may not hold is refused with its own message", () => {
    const state = run(form(single), openField, typed("a\0b"), confirmField);
    expect(state).toMatchObject({ phase: "field", errors: { 0: "Text must not contain NUL" } });
    expect(run(form(single), note("x".repeat(10_001)), "choose").errors).toEqual({
      0: "Note must be at most 10000 characters",
    });
  });

  test("[F23] a note belongs to the current question; a blank one is none", () => {
    expect(answers(run(form(single, multi), note("soon"), "choose", note(" ")))).toEqual([
      { picks: [0], note: "soon" },
      { picks: [] },
    ]);
  });

  test("[F24] nothing changes a submitted form", () => {
    const state = run(form(single), "choose");
    expect(run(state, to(2), "choose", "back", note("x"), "submit")).toBe(state);
  });
});

describe("opening", () => {
  const questions = [single, multi, open];

  test("[F25] prefilled answers are chosen on opening and on every later question", () => {
    const prefill = [{ picks: [1] }, { picks: [0, 2], text: "mine" }, { picks: [], text: "free" }];
    const state = openForm(questions, { prefill });
    expect(answers(state)).toEqual(prefill);
    expect(state.row).toBe(1);
    const later = run(state, "choose");
    expect([0, 1, 2, 3].map((row) => isSelected(multi, later.entries[1] ?? state.entries[0]!, row))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(run(state, "submit").phase).toBe("submitted");
  });

  test("[F26] a draft holds everything typed, survives JSON and goes before a prefill", () => {
    const left = run(openForm(questions), "choose", openField, typed("half a thou"), closeField, note("later"));
    const draft = FormDraft.parse(JSON.parse(JSON.stringify(draftOf(left))));
    const state = openForm(questions, { draft, prefill: [{ picks: [2] }] });
    expect(answers(state)).toEqual(answers(left));
    expect(state).toMatchObject({ current: 1, phase: "answering" });
    expect(state.entries[1]).toMatchObject({ other: false, text: "half a thou", note: "later" });
  });

  test("[F27] what does not fit the questions is left out of a draft or prefill", () => {
    const entry = { picks: [7, 1, 1, 0], other: false, text: "", note: "" };
    const state = openForm([single, multi], { draft: { current: 9, entries: [entry, entry, entry] } });
    expect(answers(state)).toEqual([{ picks: [1] }, { picks: [0, 1] }]);
    expect(state.current).toBe(1);
    expect(answers(openForm([single], { prefill: [{ picks: [0], text: "mine" }] }))).toEqual([
      { picks: [], text: "mine" },
    ]);
  });

  test("[F28] a form is dirty while it differs from how it was opened", () => {
    const state = openForm([multi], { prefill: [{ picks: [0] }] });
    expect(isDirty(state)).toBe(false);
    expect(isDirty(run(state, to(2)))).toBe(false);
    expect(isDirty(run(state, "toggle"))).toBe(true);
    expect(isDirty(run(state, "toggle", "toggle"))).toBe(false);
    expect(isDirty(run(state, openField, typed("x"), closeField))).toBe(true);
  });
});
