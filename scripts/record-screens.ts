// `bun scripts/record-screens.ts <version> [shape …]`: answers every shape of the dialog with the real Claude Code and keeps
// each screen, key by key, in src/agents/claude-code/screens/<version>/.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeysPane } from "../src/keys/pane.ts";
import { SHAPES, type Shape } from "../test/agents/keys-shapes.ts";
import { openKeysStage, play, stored } from "../test/agents/keys-stage.ts";

const [version = "", ...names] = process.argv.slice(2);
const folder = join(import.meta.dir, "../src/agents/claude-code/screens", version);
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

function recording({ size: [width, height], questions, stacked }: Shape, screens: readonly unknown[]) {
  return { width, height, questions: stored(questions), ...(stacked && { stacked: stored(stacked) }), screens };
}

function fileName(name: string): string {
  return name.replace(/[^a-z]+/g, "-");
}
