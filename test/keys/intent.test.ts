import { expect, test } from "bun:test";
import type { Answer } from "../../src/core/ask/answer/answer.ts";
import { intentOf, refuseIntent } from "../../src/keys/drive/intent.ts";
import { readActions } from "../../src/core/ask/answer/action.ts";
import { mismatch } from "../../src/keys/match.ts";
import type { QuestionScreen } from "../../src/keys/screen.ts";
import { readScreen } from "../../src/keys/read/read-screen.ts";
import { LAYOUTS, recorded } from "./recordings.ts";

const { questions } = recorded("2.1.325/lone-single-select-first").job;
const [single] = questions;
const several = recorded("2.1.325/multi-select").job.questions;
const previewed = recorded("2.1.325/preview").job.questions;
const refusal = (answer: Answer, to = questions, layouts = LAYOUTS) =>
  refuseIntent(to, { type: "answers", answers: [answer] }, layouts);

test("[KY14] what is not words is refused before any key: empty, control characters, line breaks, the empty row's own text", () => {
  expect(refusal({ picks: [], text: "fine, really" })).toBeUndefined();
  expect(refusal({ picks: [], text: "  " })).toContain("is empty");
  expect(refusal({ picks: [] })).toContain("Enter would decline");
  for (const key of ["\r", "\n", "\t", "\u0003", "\u001b[B", "\u007f", "\u0085", "\u2028", "\u202e", "\ud800"])
    expect(refusal({ picks: [], text: `a${key}b` })).toContain("which are keys in a terminal");
  expect(refusal({ picks: [], text: "Type something." })).toContain("what the empty row says");
  expect(refusal({ picks: [7] })).toContain("no such option");
  expect(refusal({ picks: [0], text: "and this" })).toContain("one option, or own words");
  expect(refusal({ picks: [], text: "x" }, previewed)).toContain("no row for own words");
});

test("[KY15] a note goes only beside a preview, and only to a version that keeps the option then", () => {
  const [v325, v197] = LAYOUTS;
  if (!v325 || !v197) throw new Error("no layouts");
  expect(refusal({ picks: [0], note: "why" }, previewed, [v325])).toBeUndefined();
  expect(refusal({ picks: [0], note: "why" }, previewed, [v197])).toContain("loses the option");
  expect(refusal({ picks: [0], note: "why" }, previewed, LAYOUTS)).toContain("loses the option");
  expect(refusal({ picks: [0], note: "why" }, questions, [v325])).toContain("only beside a preview");
  expect(refusal({ picks: [0], note: "why" }, several, [v325])).toContain("only beside a preview");
});

test("[KY16] a chat message that the input box would take for a command is refused", () => {
  const refused = (text: string) => refuseIntent(questions, { type: "chat", text }, LAYOUTS);
  expect(refused("Why not both? See src/keys.")).toBeUndefined();
  for (const text of ["!rm -rf .", "/clear", "#note", "&x", "look at @README", "run /clear now"])
    expect(refused(text)).toContain("takes for a command");
  expect(intentOf(readActions(questions, [{ action: "chat", text: "Why?" }]))).toEqual({ type: "chat", text: "Why?" });
});

test("[KY17] the shown question is the stored one through wrapping, bars, a cut with … and what a terminal does not draw", () => {
  const shown = screenOf("2.1.325/narrow-labels-that-wrap");
  const [long] = recorded("2.1.325/narrow-labels-that-wrap").job.questions;
  if (!long || !single) throw new Error("no question");
  expect(mismatch(shown, long)).toBeUndefined();
  expect(mismatch(shown, { ...long, text: `\u001b[1m${long.text}\u001b[0m\u200b` })).toBeUndefined();
  expect(mismatch({ ...shown, text: "Which of these, 日本語で? There…" }, long)).toBeUndefined();
  expect(mismatch({ ...shown, text: "Which…" }, long)).toContain("another question is on the screen");
  expect(mismatch(shown, { ...long, text: `${long.text}?` })).toContain("another question");
  expect(mismatch(shown, single)).toContain("another question");
});

test("[KY18] options are compared too: another label, order, number or kind is another question", () => {
  const shown = screenOf("2.1.325/lone-single-select-first");
  if (!single) throw new Error("no question");
  const [a, b, c] = single.options;
  if (!a || !b || !c) throw new Error("no options");
  expect(mismatch(shown, single)).toBeUndefined();
  expect(mismatch(shown, { ...single, options: [b, a, c] })).toContain("option 1 is another one");
  expect(mismatch(shown, { ...single, options: [a, b] })).toContain("3 options, not 2");
  expect(mismatch(shown, { ...single, options: [a, b, { ...c, description: "other" }] })).toContain("option 3");
  expect(mismatch(shown, { ...single, multiSelect: true })).toContain("one option only");
});

function screenOf(file: string): QuestionScreen {
  const { screens, layout } = recorded(file);
  const screen = readScreen(screens[0]?.text ?? "", layout);
  if (screen.type !== "question") throw new Error("no question");
  return screen;
}
