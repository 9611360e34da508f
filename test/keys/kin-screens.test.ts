import { expect, test } from "bun:test";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { layout as gemini } from "../../src/agents/gemini/screens/0.61.0/layout.ts";
import { layout as qwen } from "../../src/agents/qwen/screens/0.24.4/layout.ts";
import type { ReadLayout } from "../../src/agents/capability/screen-layout.ts";
import type { Question } from "../../src/core/ask/question.ts";
import { nextStep } from "../../src/keys/drive/drive.ts";
import type { Intent } from "../../src/keys/drive/intent.ts";
import { START } from "../../src/keys/drive/step.ts";

const folder = (agent: string, version: string) =>
  join(import.meta.dir, `../../src/agents/${agent}/screens/${version}/fixtures`);
const places = { gemini: folder("gemini", "0.61.0"), qwen: folder("qwen", "0.24.4") };
const screenOf = (agent: keyof typeof places, name: string) => readFileSync(join(places[agent], `${name}.txt`), "utf8");
const typesIn = (agent: keyof typeof places, layout: ReadLayout) =>
  Object.fromEntries(
    readdirSync(places[agent])
      .toSorted()
      .map((file) => [file.replace(".txt", ""), layout.read(readFileSync(join(places[agent], file), "utf8")).type]),
  );

test("[GM30] every recorded screen of Gemini CLI is what it was", () => {
  expect(typesIn("gemini", gemini)).toEqual({
    custom: "question",
    "custom-typed": "question",
    draft: "prompt",
    edit: "approval",
    form: "question",
    "form-text": "question",
    "form-yesno": "question",
    long: "question",
    multi: "question",
    "multi-done": "question",
    "multi-scrolled": "question",
    prompt: "prompt",
    review: "review",
    shell: "approval",
    single: "question",
    two: "unknown",
    write: "approval",
  });
});

test("[QW30] every recorded screen of Qwen Code is what it was", () => {
  expect(typesIn("qwen", qwen)).toEqual({
    draft: "prompt",
    edit: "prompt",
    form1: "question",
    form2: "question",
    multi: "question",
    multi2: "question",
    multidone: "prompt",
    own: "question",
    review: "review",
    shell: "approval",
    single: "question",
    two: "question",
    write: "prompt",
  });
});

const option = (label: string, description: string) => ({ label, description, recommended: false });
const database: Question = {
  text: "Which database should I use?",
  header: "Database",
  multiSelect: false,
  options: [
    option("PostgreSQL", "Relational, robust"),
    option("SQLite", "Embedded, zero config"),
    option("MongoDB", "Document store"),
  ],
};
const step = (layout: ReadLayout, text: string, questions: readonly Question[], intent: Intent) =>
  nextStep(layout.read(text, questions), START, { questions, intent, layout, width: 100, height: 40 });
const LAYOUTS = [
  ["gemini", gemini],
  ["qwen", qwen],
] as const;

test.each(LAYOUTS)(
  "[GM31] %s: a key is pressed only beside the question that was meant, word for word",
  (agent, layout) => {
    const text = screenOf(agent, "single");
    const answer: Intent = { type: "answers", answers: [{ picks: [1] }] };
    expect(step(layout, text, [database], answer)).toMatchObject({ type: "press", key: { name: "Down" } });
    const others: Question[] = [
      { ...database, text: "Which database should I drop?" },
      { ...database, multiSelect: true },
      { ...database, options: database.options.toReversed() },
      { ...database, options: [option("PostgreSQL", "Something else"), ...database.options.slice(1)] },
    ];
    for (const other of others) expect(step(layout, text, [other], answer).type).toBe("stop");
    expect(step(layout, text, [database], { type: "leave" })).toMatchObject({ type: "press", key: { name: "Escape" } });
    expect(step(layout, screenOf(agent, "draft"), [database], answer).type).toBe("stop");
  },
);

test.each(LAYOUTS)(
  "[GM32] %s: a call is allowed only where the screen shows all of it, and by the row of that name",
  (agent, layout) => {
    const text = screenOf(agent, "shell");
    const command = `echo one && touch two.txt\nprintf 'a very long line %s %s %s' ${"1".repeat(32)} ${"2".repeat(40)} ${"3".repeat(25)}\ncat <<X\n● 1. Allow once\nX`;
    const verdict = (more: object = {}): Intent => ({
      type: "verdict",
      row: "once",
      call: { type: "command", command },
      body: "",
      ...more,
    });
    expect(step(layout, text, [database], verdict())).toMatchObject({ type: "press", key: { name: "Enter" } });
    expect(step(layout, text, [database], verdict({ row: "deny" }))).toMatchObject({
      type: "press",
      key: { name: "Down" },
    });
    for (const other of [`${command}\nrm -rf ~`, command.slice(0, -1), "touch two.txt"])
      expect(step(layout, text, [database], verdict({ call: { type: "command", command: other } })).type).toBe("stop");
    expect(step(layout, text, [database], verdict({ row: "everything" })).type).toBe("stop");
    expect(step(layout, screenOf(agent, "single"), [database], verdict()).type).toBe("stop");
  },
);

test("[GM33] Gemini CLI: Markdown in a question is compared as it is drawn", () => {
  const screen = gemini.read(screenOf("gemini", "long"));
  expect(screen.type === "question" && screen.text).toContain("a second line, and code, bold text, and a list:");
});

test.each(LAYOUTS)(
  "[GM34] %s: a screen that lost any of its lines is not taken for another dialog",
  (agent, layout) => {
    for (const name of ["single", "shell"]) {
      const lines = screenOf(agent, name).trimEnd().split("\n");
      const intent: Intent =
        name === "single"
          ? { type: "answers", answers: [{ picks: [0] }] }
          : { type: "verdict", row: "once", call: { type: "command", command: "touch labfile.txt" }, body: "" };
      for (let i = 0; i < lines.length; i++) {
        const text = lines.toSpliced(i, 1).join("\n");
        const next = step(layout, text, [database], intent);
        // Where a line is gone that says nothing of the dialog, the first option is still the one that was meant.
        if (next.type === "press")
          expect([name, text.includes("1.  PostgreSQL") || text.includes("1. PostgreSQL")]).toEqual(["single", true]);
      }
    }
  },
);
