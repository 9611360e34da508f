import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCode } from "../agents/claude-code/claude-code.ts";
import type { Layout } from "../agents/screen-layout.ts";
import type { Question } from "../core/question.ts";
import { nextStep } from "./drive.ts";
import { refuseIntent, type Intent } from "./intent.ts";
import { readScreen } from "./screen.ts";
import { type Job, type Progress, START } from "./step.ts";

type Recording = {
  width: number;
  height: number;
  questions: Question[];
  stacked?: Question[];
  intent: Intent;
  screens: { after: string; lines: string[] }[];
};

const folder = join(import.meta.dir, "../agents/claude-code/screens");
const layouts = claudeCode.screens ?? [];
const recordings = layouts.flatMap((layout) =>
  [...new Glob(`${layout.version}/*.json`).scanSync(folder)].toSorted().map((file) => ({
    file,
    layout,
    recording: JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording,
  })),
);
const wrong = layouts.flatMap((layout) =>
  [...new Glob(`${layout.version}/wrong/*.txt`).scanSync(folder)].map((file) => ({ file, layout })),
);
const jobOf = ({ questions, intent, width, height }: Recording, layout: Layout): Job => ({
  questions,
  intent,
  layout,
  width,
  height,
});

test("[KY1] every version has recorded screens, and every recorded dialog is recognised", () => {
  const unknown = recordings.flatMap(({ file, layout, recording }) =>
    recording.screens
      .map(({ lines }) => readScreen(lines.join("\n"), layout))
      .flatMap((screen) => (screen.type === "unknown" ? [`${file}: ${screen.why}`] : [])),
  );
  expect(unknown).toEqual([]);
  for (const { version } of layouts)
    expect(recordings.filter(({ layout }) => layout.version === version).length).toBeGreaterThan(20);
});

test.each(recordings.filter(({ recording }) => !recording.stacked))(
  "[KY2] on recorded screens the driver presses the keys that gave the right answer then: $file",
  ({ recording, layout }) => {
    expect(replay(recording, layout)).toEqual(recording.screens.slice(1).map(({ after }) => after));
  },
);

test("[KY3] on the screens of other programs and dialogs no key is pressed", () => {
  expect(wrong.length).toBeGreaterThan(10);
  const first = recordings.find(({ file }) => file.includes("lone-single-select-first"));
  if (!first) throw new Error("no recording");
  for (const { file, layout } of wrong) {
    const screen = readScreen(readFileSync(join(folder, file), "utf8"), layout);
    expect([file, ["unknown", "prompt"].includes(screen.type)]).toEqual([file, true]);
    expect(nextStep(screen, START, jobOf(first.recording, layout)).type).toBe("stop");
  }
});

/** The keys in order; each must be followed by the screen it expects. */
function replay(recording: Recording, layout: Layout): string[] {
  const job = jobOf(recording, layout);
  if (refuseIntent(job.questions, job.intent, [layout]) !== undefined) return [];
  const screens = recording.screens.map(({ lines }) => readScreen(lines.join("\n"), layout));
  const keys: string[] = [];
  let progress: Progress | "done" = START;
  for (const [i, screen] of screens.entries()) {
    if (progress === "done") throw new Error("there are more screens than keys");
    const step = nextStep(screen, progress, job);
    if (step.type === "stop") return [...keys, ...(screens.length === 1 ? [] : [`stop: ${step.why}`])];
    const after = screens[i + 1];
    if (!after) return keys;
    expect(step.expect(after)).toBe(true);
    keys.push("name" in step.key ? step.key.name : "text");
    progress = step.then;
  }
  return keys;
}
