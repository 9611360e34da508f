// `bun scripts/record-screens.ts <version> [shape …]`: answers every shape of the dialog with the real Claude Code and keeps
// each screen, key by key, in src/agents/claude-code/screens/<version>/fixtures/.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeysPane } from "../src/keys/pane.ts";
import { SHAPES, type Shape } from "../test/agents/keys-shapes.ts";
import { intentOf, openKeysStage, play, stored } from "../test/agents/keys-stage.ts";

const [version = "", ...names] = process.argv.slice(2);
const folder = join(import.meta.dir, "../src/agents/claude-code/screens", version, "fixtures");
mkdirSync(folder, { recursive: true });
const shapes = Object.entries(SHAPES).filter(([name]) => names.length === 0 || names.includes(name));
for (const [name, shape] of shapes) {
  await using stage = await openKeysStage(version, shape.size);
  const screens: { after: string; lines: string[] }[] = [];
  const { kind, detail } = await play(
    { ...stage, answer: (job) => stage.answer({ ...job, pane: taking(stage.pane, screens) }) },
    shape,
    version,
  );
  console.log(`${name}: ${kind} ${detail}`);
  // Refused on sight, or without a look at it: then there is nothing to keep.
  const [, ...lines] = detail.split("\n");
  if (screens.length === 0 && lines.join("") === "") continue;
  if (screens.length === 0) screens.push({ after: "opening", lines });
  writeFileSync(join(folder, `${fileName(name)}.json`), `${JSON.stringify(recording(shape, screens), null, 1)}\n`);
}

/** Keeps the screen before each key; the last one is what the last key led to. */
function taking(pane: KeysPane, screens: { after: string; lines: string[] }[]): KeysPane {
  let last: string[] = [];
  let after = "opening";
  const take = (next: string) => {
    screens.push({ after, lines: last });
    after = next;
  };
  return {
    ...pane,
    async capture() {
      const capture = await pane.capture();
      last = capture.text.trimEnd().split("\n");
      return capture;
    },
    async key(name) {
      take(name);
      await pane.key(name);
    },
    async type(text) {
      take("text");
      await pane.type(text);
    },
  };
}

function recording(shape: Shape, screens: readonly unknown[]) {
  const { size, questions, stacked } = shape;
  const [width, height] = size;
  const asked = { questions: stored(questions), ...(stacked && { stacked: stored(stacked) }) };
  return { width, height, ...asked, intent: intentOf(shape), screens };
}

function fileName(name: string): string {
  return name.replace(/[^a-z]+/g, "-");
}
