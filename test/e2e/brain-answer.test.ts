import { afterAll, beforeAll, expect, test } from "bun:test";
import { create, features, listen, store, timeless } from "./cli-words.ts";
import { createProgram, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const run = async (id: string, actions: unknown, ...more: string[]) => {
  const text = typeof actions === "string" ? actions : JSON.stringify(actions);
  const { code, out, err } = await program.parley(["answer", id, "--actions", text, ...more], { env: UNTIL_RECEIVED });
  return { code, out: timeless(out), err };
};
const stateOf = async (id: string) => (await program.client().call("getAsk", { id })).state;
const select = (optionIndex: number, more: object = {}) => ({ action: "select", optionIndex, ...more });

test.each([
  [[store], [select(1, { label: "PostgreSQL" })], { type: "answered", answers: [{ picks: [1] }] }, "PostgreSQL"],
  [
    [store],
    [{ action: "type", text: "neither" }],
    { type: "answered", answers: [{ picks: [], text: "neither" }] },
    "neither",
  ],
  [
    [store, features],
    [select(0), { action: "multi-select", selectedIndices: [0, 2], text: "mine" }],
    { type: "answered", answers: [{ picks: [0] }, { picks: [0, 2], text: "mine" }] },
    "SQLite; Auth, Export, mine",
  ],
  [[store, features], [{ action: "chat", text: "Why now?" }], { type: "chat", message: "Why now?" }, "Why now?"],
])(
  "[BR35] a decision (%#) reaches the asker, and no person is said to have answered",
  async (questions, actions, outcome, said) => {
    const made = await create(program, questions);
    const { taken } = await listen(program, made);
    const { code, out, err } = await run(made.id, actions, "--reason", "The roadmap says so.", "--confidence", "0.8");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toStartWith("✓ script received ");
    expect(out).toContain(said);
    expect((await taken).outcome).toMatchObject({
      ...outcome,
      reason: "The roadmap says so.",
      actor: { type: "brain", surface: "cli" },
    });
  },
);

test.each([
  [[store], [select(7)], "actions.0: There is no option 7 (allowed: 0 to 1)"],
  [[store], [select(0, { label: "PostgreSQL" })], `actions.0: Option 0 is "SQLite", not "PostgreSQL"`],
  [[store, features], [select(0)], `actions: There must be one action for each question (allowed: 2), not "1"`],
  [[features], [select(0)], "actions.0: This question takes several options: use multi-select"],
  [[features], [{ action: "multi-select", selectedIndices: [] }], `answers[0]`],
  [[store], "select 1", `--actions is not JSON.`],
  [[store], [{ action: "press", key: "Enter" }], "actions.0.action: expected select, type, multi-select or chat"],
])(
  "[BR36] a decision (%#) that does not fit is refused in words that say what to mend, and stays open",
  async (questions, actions, told) => {
    const made = await create(program, questions);
    const { code, out, err } = await run(made.id, actions);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.replaceAll(/\s+/g, " ")).toContain(told);
    expect(await stateOf(made.id)).toBe("open");
  },
);

test("[BR37] actions are the whole answer, and a confidence is a number from 0 to 1", async () => {
  const made = await create(program);
  const usage = async (...args: string[]) => (await program.parley(["answer", made.id, ...args])).err;
  const whole = "✗ --actions is the whole answer: leave the other one out\n";
  for (const more of [["1"], ["-m", "x"], ["--decline"], ["--chat", "x"], ["--text", "x"]])
    expect(await usage("--actions", "[]", ...more)).toBe(whole);
  const actions = JSON.stringify([select(0)]);
  for (const confidence of ["high", "2", "-0.1"])
    expect(await usage("--actions", actions, `--confidence=${confidence}`)).toBe(
      "✗ --confidence is a number from 0 to 1\n",
    );
  expect(await usage("1", "--reason", "x")).toBe("✗ --reason, --confidence and --as need --actions; a note is -m\n");
  expect(await stateOf(made.id)).toBe("open");
});

test("[BR38] a decider that comes too late is told who was first", async () => {
  const made = await create(program);
  await program.parley(["answer", made.id, "1"]);
  const { code, out } = await run(made.id, [select(1)]);
  expect({ code, out: out.replace(/\d\d:\d\d:\d\d/, "CLOCK") }).toMatchObject({ code: 4 });
  expect(out).toStartWith("✗ too late:");
});
