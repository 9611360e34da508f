import { afterAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "./program.ts";

const program = createProgram();
afterAll(() => program.dispose());

const QUESTIONS = [
  { id: "look", question: "Which layout?", options: [{ label: "Grid" }, { label: "List", description: "Simple" }] },
  {
    id: 2,
    question: "Soll ich die Tabelle löschen?",
    header: "Tabelle",
    options: [{ label: "Ja" }, { label: "Nein" }],
  },
  { question: "Продолжить с тестами?", multiSelect: false, options: [{ label: "Да" }, { label: "Нет" }] },
  { question: "Vuoi continuare?", options: [] },
];
const LINES = QUESTIONS.map((question) => JSON.stringify(question));

test("[GA6] judge says of each line what the gate says, in order, without daemon, settings or a trace", async () => {
  const { code, out } = await program.parley(["autopilot", "judge", "--json"], { stdin: `${LINES.join("\n")}\n` });
  const said = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(said).toEqual([
    { line: 1, id: "look", category: "style-preference", stakes: [], gate: "pass", why: [], language: "en" },
    {
      line: 2,
      id: 2,
      category: "confirmation",
      stakes: ["destructive"],
      gate: "hold",
      why: ['at stake: destructive ("löschen")', 'the question is about destroying or replacing ("löschen")'],
      language: "de",
    },
    { line: 3, category: "confirmation", stakes: [], gate: "pass", why: [], language: "ru" },
    {
      line: 4,
      category: "open-floor",
      stakes: [],
      gate: "hold",
      why: ["the question is in a language that is not judged"],
      language: null,
    },
  ]);
  expect(existsSync(program.home)).toBe(false);
});

test("[GA7] a line that cannot be read is held and counted, and the rest is judged all the same", async () => {
  const file = join(program.user, "questions.jsonl");
  writeFileSync(file, [LINES[0], "{", "", '{"question": 5}', '{"question":" "}', LINES[2]].join("\n"));
  const { code, out, err } = await program.parley(["autopilot", "judge", file, "--json"]);
  const said = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([code, err]).toEqual([2, ""]);
  expect(said.map(({ line, gate, error }) => [line, gate, error])).toEqual([
    [1, "pass", undefined],
    [2, "hold", "it is not JSON"],
    [3, "hold", "it is not JSON"],
    [4, "hold", "question: Invalid input: expected string, received number"],
    [5, "hold", "question: it is empty"],
    [6, "pass", undefined],
  ]);
});

/** A copy of the program; `change` is what is broken in it. */
function copied(change: (source: string) => string): string {
  const root = mkdtempSync(join(tmpdir(), "parley-broken-"));
  const repository = join(import.meta.dir, "../..");
  cpSync(join(repository, "src"), join(root, "src"), {
    recursive: true,
    filter: (path) => !path.includes("/fixtures") && !path.endsWith(".test.ts"),
  });
  cpSync(join(repository, "package.json"), join(root, "package.json"));
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  const gate = join(root, "src/core/autopilot/gate/gate.ts");
  writeFileSync(gate, change(readFileSync(gate, "utf8")));
  writeFileSync(
    join(root, "ladder.ts"),
    `import { subjectOf } from "./src/core/autopilot/category/subject.ts";
     import { runLadder } from "./src/core/autopilot/ladder/ladder.ts";
     const questions = [{ text: "Which zookeeper?", header: "", multiSelect: false, options: [] }];
     const ask = { id: "", version: 1, kind: "question", state: "open", questions, origin: { agent: "" }, deliveries: [], createdAt: 0, updatedAt: 0 };
     console.log(runLadder(subjectOf(ask), [], { brains: ["b"], brain: "b", projectRules: false }).verdict.next);`,
  );
  return root;
}

test("[GA8] the ladder and judge ask the same gate: who breaks it changes both", async () => {
  const asked = JSON.stringify({ question: "Which zookeeper?", options: [] });
  const seen = async (change: (source: string) => string) => {
    const root = copied(change);
    const run = async (args: string[]) => {
      const bun = join(root, "node_modules/.bin/bun");
      const ran = Bun.spawn([bun, ...args], {
        stdin: Buffer.from(asked),
        stdout: "pipe",
        env: { PATH: process.env["PATH"] ?? "", HOME: root, PARLEY_HOME: join(root, "home") },
      });
      return (await new Response(ran.stdout).text()).trim();
    };
    try {
      const judged = JSON.parse(await run([join(root, "src/main.ts"), "autopilot", "judge", "--json"]));
      return [judged.gate, await run([join(root, "ladder.ts")])];
    } finally {
      rmSync(root, { recursive: true });
    }
  };
  expect(await seen((source) => source)).toEqual(["hold", "human"]);
  const broken = (source: string) =>
    source.replace(/(export function gateOf\([^)]*\): GateHold\[\] \{)/, "$1\n  if (questions.length > 0) return [];");
  expect(await seen(broken)).toEqual(["pass", "brain"]);
});
