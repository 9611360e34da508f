import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screens as LAYOUTS } from "../../src/agents/claude-code/screens/screens.ts";
import type { Layout } from "../../src/agents/capability/screen-layout.ts";
import type { Question } from "../../src/core/ask/question.ts";
import { nextStep } from "../../src/keys/drive/drive.ts";
import { refuseIntent, type Intent } from "../../src/keys/drive/intent.ts";
import { readScreen } from "../../src/keys/read/read-screen.ts";
import { type Job, type Progress, START, type Step } from "../../src/keys/drive/step.ts";

/** One dialog of the real agent, from its opening to its last key, as `scripts/record-screens.ts` kept it. */
export type Recording = {
  file: string;
  layout: Layout;
  job: Job;
  stacked: boolean;
  screens: { after: string; text: string }[];
};
/** A screen, how far the driver was when it saw it, and what it pressed. */
export type Moment = { text: string; progress: Progress; step: Step; after: string | undefined };

type Kept = {
  width: number;
  height: number;
  questions: Question[];
  stacked?: Question[];
  intent: Intent;
  screens: { after: string; lines: string[] }[];
};

const folder = join(import.meta.dir, "../../src/agents/claude-code/screens");
export { LAYOUTS };

export const RECORDINGS: readonly Recording[] = LAYOUTS.flatMap((layout) =>
  [...new Glob(`${layout.version}/fixtures/*.json`).scanSync(folder)].toSorted().map((path) => {
    const file = path.replace("fixtures/", "");
    const { screens, stacked, questions, intent, width, height } = JSON.parse(
      readFileSync(join(folder, path), "utf8"),
    ) as Kept;
    const job: Job = { questions, intent, layout, width, height };
    const texts = screens.map(({ after, lines }) => ({ after, text: lines.join("\n") }));
    return { file, layout, job, stacked: stacked !== undefined, screens: texts };
  }),
);

/** Screens of other programs, and of the agent without such a dialog. */
export const WRONG = LAYOUTS.flatMap((layout) =>
  [...new Glob(`${layout.version}/fixtures/wrong/*.txt`).scanSync(folder)].map((file) => ({
    file,
    layout,
    text: readFileSync(join(folder, file), "utf8"),
  })),
);

export function recorded(file: string): Recording {
  const found = RECORDINGS.find((each) => each.file === `${file}.json`);
  if (!found) throw new Error(`there is no recording ${file}`);
  return found;
}

/** Plays the driver over the recorded screens. */
export function momentsOf({ job, layout, screens }: Recording): Moment[] {
  if (refuseIntent(job.questions, job.intent, [layout]) !== undefined) return [];
  const moments: Moment[] = [];
  let progress: Progress = START;
  for (const [i, { text }] of screens.entries()) {
    const step = nextStep(readScreen(text, layout), progress, job);
    moments.push({ text, progress, step, after: screens[i + 1]?.text });
    if (step.type === "stop" || step.leads === "done") break;
    progress = step.leads;
  }
  return moments;
}
