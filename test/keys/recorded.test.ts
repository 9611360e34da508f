import { expect, test } from "bun:test";
import { nextStep } from "../../src/keys/drive/drive.ts";
import type { Intent } from "../../src/keys/drive/intent.ts";
import { readScreen } from "../../src/keys/read/read-screen.ts";
import { START } from "../../src/keys/drive/step.ts";
import { LAYOUTS, momentsOf, RECORDINGS, recorded, WRONG } from "./recordings.ts";

test("[KY1] every version has recorded screens, and every recorded dialog is recognised", () => {
  const unknown = RECORDINGS.flatMap(({ file, layout, screens }) =>
    screens
      .map(({ text }) => readScreen(text, layout))
      .flatMap((screen) => (screen.type === "unknown" ? [`${file}: ${screen.why}`] : [])),
  );
  expect(unknown).toEqual([]);
  for (const { version } of LAYOUTS)
    expect(RECORDINGS.filter(({ layout }) => layout.version === version).length).toBeGreaterThan(20);
});

test.each(RECORDINGS.filter(({ stacked, screens }) => !stacked && screens.length > 1))(
  "[KY2] on recorded screens the driver presses the keys that gave the right answer then: $file",
  (recording) => {
    const moments = momentsOf(recording);
    const pressed = moments.map(({ step }) =>
      step.type === "stop" ? step.why : "name" in step.key ? step.key.name : "text",
    );
    expect(pressed.slice(0, -1)).toEqual(recording.screens.slice(1).map(({ after }) => after));
    for (const { step, after } of moments.slice(0, -1))
      expect(step.type === "press" && step.expect(readScreen(after ?? "", recording.layout))).toBe(true);
  },
);

test("[KY3] on the screens of other programs and other dialogs no key is pressed", () => {
  expect(WRONG.length).toBeGreaterThan(10);
  for (const { file, layout, text } of WRONG) {
    const screen = readScreen(text, layout);
    expect([file, screen.type === "unknown" || screen.type === "prompt"]).toEqual([file, true]);
    const { job } = recorded(`${layout.version}/lone-single-select-first`);
    expect(nextStep(screen, START, job).type).toBe("stop");
  }
});

test("[KY4] a terminal that is too low for the question is refused, and said to be", () => {
  for (const { version, layout } of LAYOUTS.map((each) => ({ version: each.version, layout: each }))) {
    const { job, screens } = recorded(`${version}/too-low-for-its-labels`);
    const step = nextStep(readScreen(screens[0]?.text ?? "", layout), START, job);
    expect(step).toMatchObject({ type: "stop", why: expect.stringContaining("the terminal is not tall enough") });
  }
});

test("[KY27] a form is sent only when its review page shows the answers that were meant", () => {
  for (const { version, ...layout } of LAYOUTS) {
    const { job, screens } = recorded(`${version}/form-with-tabs`);
    const review = readScreen(screens.at(-1)?.text ?? "", { version, ...layout });
    const end = { at: job.questions.length, fresh: true, ticked: 0, typed: 0 };
    expect(nextStep(review, end, job)).toMatchObject({ type: "press", key: { name: "Enter" } });
    const other: Intent = { type: "answers", answers: [{ picks: [3] }, { picks: [1, 2] }] };
    expect(nextStep(review, end, { ...job, intent: other })).toMatchObject({
      type: "stop",
      place: "The review page",
      why: "it shows other answers than were meant",
    });
  }
});
