import { expect, test } from "bun:test";
import { join } from "node:path";
import { KEY, mount } from "./dialog-headless.ts";

const handbook = await Bun.file(join(import.meta.dir, "../../docs/terminal.md")).text();

const store = {
  header: "Storage",
  text: "Which store should the inbox use?",
  options: [
    { label: "SQLite", description: "Embedded, one file, no server", recommended: true },
    { label: "Postgres", description: "A server of its own; for teams that share one inbox" },
    { label: "Files, one per ask", description: "Easy to read, slow to query" },
  ],
};
const features = {
  header: "Features",
  text: "Which features should be on from the start?",
  multiSelect: true,
  options: [
    { label: "Search", description: "Full text, over everything that was asked" },
    { label: "Export", description: "JSON Lines" },
  ],
};
const layout = {
  header: "Layout",
  text: "Which layout do you prefer?",
  options: [
    {
      label: "Columns",
      description: "One for each state",
      preview:
        "┌──────┬──────┬──────┐\n│ open │ sent │ done │\n├──────┼──────┼──────┤\n│ A    │ B    │ C    │\n└──────┴──────┴──────┘",
    },
    { label: "List", description: "Newest first", preview: "A  open\nB  sent\nC  done" },
  ],
};
const context = "I looked at both stores. SQLite is already used for the session log.";

const SCENES = [
  ["one question of several", [store, features], { context }, [KEY.down]],
  ["multi-select, and Other without text", [store, features], {}, [KEY.enter, KEY.space, "3", KEY.enter, KEY.enter]],
  ["a preview beside the options, and a note", [layout], {}, ["n", "s", "o", "o", "n", KEY.enter]],
  ["the review", [store, features], {}, [KEY.enter, KEY.right]],
  ["40×10", [store, features], { columns: 40, rows: 10, context }, [KEY.down]],
] as const;

for (const [name, questions, options, keys] of SCENES) {
  test(`[DG52] the handbook shows what is drawn: ${name}`, async () => {
    const dialog = mount(questions, options);
    dialog.press(...keys);
    expect(handbook).toContain(`\`\`\`text\n${await dialog.screen()}\n\`\`\`\n`);
  });
}
