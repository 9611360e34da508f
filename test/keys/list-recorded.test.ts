import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screens as LAYOUTS } from "../../src/agents/copilot/screens/screens.ts";
import { screens as OTHERS } from "../../src/agents/claude-code/screens/screens.ts";
import type { Question } from "../../src/core/ask/question.ts";
import { nextStep } from "../../src/keys/drive/drive.ts";
import type { Intent } from "../../src/keys/drive/intent.ts";
import { readScreen } from "../../src/keys/read/read-screen.ts";
import { type Progress, START } from "../../src/keys/drive/step.ts";

type Kept = {
  width: number;
  height: number;
  questions: Question[];
  intent: Intent;
  screens: { after: string; lines: string[] }[];
};
const folder = join(import.meta.dir, "../../src/agents/copilot/screens");
const RECORDED = LAYOUTS.flatMap((layout) =>
  [...new Glob(`${layout.version}/fixtures/*.json`).scanSync(folder)].toSorted().map((file) => ({
    file,
    layout,
    kept: JSON.parse(readFileSync(join(folder, file), "utf8")) as Kept,
  })),
);

test.each(RECORDED.map((each) => [each.file, each] as const))(
  "[CP30] on each recorded screen of a list the next key is the one that was pressed: %s",
  (_file, { layout, kept: { screens, ...job } }) => {
    let progress: Progress = START;
    expect(screens.length).toBeGreaterThan(0);
    for (const { after, lines } of screens) {
      const step = nextStep(readScreen(lines.join("\n"), layout), progress, { ...job, layout });
      if (step.type === "stop") throw new Error(`${step.place}: ${step.why}`);
      expect("name" in step.key ? step.key.name : `text ${step.key.text}`).toBe(after);
      if (step.leads !== "done") progress = step.leads;
    }
  },
);

test("[CP31] a list is nobody else's dialog; one that is cut, changed or half drawn gets no key", () => {
  for (const {
    layout,
    kept: { screens, ...job },
  } of RECORDED) {
    const lines = screens[0]?.lines ?? [];
    for (const other of OTHERS) expect(readScreen(lines.join("\n"), other).type).toBe("unknown");
    const filled = lines.flatMap((line, at) => (/\p{L}/u.test(line) ? [at] : []));
    const head = lines.findLastIndex((line) => line === layout.head || layout.leave.top.test(line));
    for (const at of filled.filter((each) => each >= head)) {
      const without = lines.toSpliced(at, 1).join("\n");
      const cut = lines.slice(at + 1).join("\n");
      for (const text of [without, cut])
        expect([at, nextStep(readScreen(text, layout), START, { ...job, layout }).type]).toEqual([at, "stop"]);
    }
  }
});
