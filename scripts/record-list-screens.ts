// Records the dialogs of a real Copilot CLI on the screen, key by key, into its screens' fixtures:
//   bun scripts/record-list-screens.ts 1.0.102
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copilot } from "../src/agents/copilot/copilot.ts";
import { createCopilotLab } from "../src/agents/copilot/lab/copilot-lab.ts";
import { approvalQuestion } from "../src/agents/copilot/approval.ts";
import { questionsOf } from "../src/agents/copilot/payload.ts";
import { typed } from "../src/agents/copilot/reply.ts";
import type { Answer } from "../src/core/ask/answer/answer.ts";
import type { Ask } from "../src/core/ask/ask.ts";
import { answerByKeys } from "../src/keys/answer-by-keys.ts";
import { type KeysPane, openPane } from "../src/keys/pane.ts";
import { createScriptedModel, type Say } from "../src/lab/model.ts";

const version = process.argv[2] ?? "";
const root = join(import.meta.dir, "..");
const program = join(root, `test/agents/versions-copilot/node_modules/copilot-${version}/copilot`);
const folder = join(root, `src/agents/copilot/screens/${version}/fixtures`);

const form = (message: string, properties: object) => ({ message, requestedSchema: { properties } });
const database = { type: "string", title: "Database", description: "Which database?", enum: ["PostgreSQL", "SQLite"] };
const parts = { type: "array", title: "Parts", items: { type: "string", enum: ["Alpha", "Beta", "Gamma"] } };
const run = { command: "touch a.txt && touch b.txt", description: "Make two files", mode: "sync", initial_wait: 5 };
type Case = { say: Say; ask: Pick<Ask, "kind" | "questions">; answers: Answer[] };
const asks = (input: object, answers: Answer[]): Case => ({
  say: { tool: "ask_user", input: { ...input } },
  ask: { kind: "question", questions: questionsOf(input) ?? [] },
  answers,
});
const command = approvalQuestion({
  kind: "shell",
  intention: run.description,
  call: { type: "command", command: run.command },
  about: run.command,
});
const wants = (answers: Answer[]): Case => ({
  say: { tool: "bash", input: run },
  ask: { kind: "approval", questions: [command] },
  answers,
});
const CASES: Record<string, Case> = {
  one: asks(form("Which database?", { database }), [{ picks: [1] }]),
  "own-words": asks(form("Which database?", { database }), [{ picks: [], text: "neither; a file in /tmp" }]),
  several: asks(form("Which parts?", { parts }), [{ picks: [0, 2], text: "and Delta" }]),
  form: asks(
    form("Before I begin", {
      database,
      parts,
      go: { type: "boolean" },
      name: { type: "string" },
      n: { type: "number" },
    }),
    [{ picks: [0] }, { picks: [1] }, { picks: [1] }, { picks: [], text: "Ada" }, { picks: [], text: "42" }],
  ),
  denied: wants([{ picks: [1], note: "use mktemp" }]),
  allowed: wants([{ picks: [0] }]),
};

const script = Object.fromEntries(Object.entries(CASES).map(([name, { say }]) => [name, [say]]));
await using model = createScriptedModel({ script });
await using lab = await createCopilotLab({ program, model });
mkdirSync(folder, { recursive: true });
for (const [name, { ask, answers }] of Object.entries(CASES)) {
  await lab.prompt(`SCENARIO:${name}`);
  await lab.tmux.waitFor(/esc (?:to )?cancel/);
  const pane = await openPane(lab.tmux.address());
  const screens: { after: string; lines: string[] }[] = [];
  let [last, size] = ["", { width: 0, height: 0 }];
  const keep = (key: string) => screens.push({ after: key, lines: last.split("\n").map((line) => line.trimEnd()) });
  const recorded: KeysPane = {
    ...pane,
    async capture() {
      const { text, ...found } = await pane.capture();
      [last, size] = [text, found];
      return { text, ...found };
    },
    key: (key) => (keep(key), pane.key(key)),
    type: (text) => (keep(`text ${text}`), pane.type(text)),
  };
  const said = typed(ask as Ask, { type: "answered", actor: { type: "person", surface: "cli" }, at: 0, answers });
  if (!said) throw new Error(`${name} cannot be typed`);
  const intent = { type: "answers" as const, answers: said.answers };
  const done = await answerByKeys({
    pane: recorded,
    layouts: copilot.screens ?? [],
    questions: said.questions,
    intent,
  });
  if (done.type === "stopped") throw new Error(`${name}: ${done.where}\n${done.screen}`);
  // Each screen with the key that was pressed on it.
  const kept = { ...size, questions: said.questions, intent, screens };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept, null, 1)}\n`);
  console.log(`${name}: ${done.keys} keys`);
}
