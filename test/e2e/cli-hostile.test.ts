import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ask, type Asking, contextRead } from "./cli-asker.ts";
import { onTerminal, withoutColours } from "./cli-terminal.ts";
import { create, store } from "./cli-words.ts";
import { createProgram, type Ran, type Program } from "./program.ts";

/** What a model may write; `gone` must not be left of it, not even as letters. */
const HOSTILE = {
  title: "\u001b]0;PWNED\u0007",
  clipboard: "\u001b]52;c;UFdORUQ=\u001b\\",
  link: "\u001b]8;;http://PWNED.example\u0007click\u001b]8;;\u0007",
  screen: "\u001b[2J\u001b[H\u001b[31mred\u001b[?1049h",
  c1: "\u009b31m\u009d0;PWNED\u009c\u0085\u0080",
  device: "\u001bPq#0PWNED\u001b\\\u001b_PWNED\u001b\\\u001bc",
  controls: "a\u0000b\u0007c\bd\re\u007ff\vg\fh",
  bidi: "abc\u202e321\u202c\u2066x\u2069\u200f",
  hidden: "z\u200be\u200dr\ufeffo\u00ad\u{e0041}",
  halves: "\ud800x\udc00",
  lines: "one\u2028two\u2029three",
};
const GONE = ["PWNED", "UFdORUQ", "[2J", "[31m", "1049h"];
const all = Object.values(HOSTILE).join(" ");
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const STEERING = /[\u061c\u200b\u200d-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u00ad\u{e0000}-\u{e007f}]|\p{Cs}/u;

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const hostileQuestions = () => [
  {
    question: `Q ${all}?`,
    header: `H ${all}`,
    options: [1, 2].map((n) => ({ label: `L${n} ${all}`, description: `D ${all}`, preview: `P ${all}\n${all}` })),
  },
  { question: `Q2 ${all}?`, header: `H2 ${all}`, multiSelect: true, options: [{ label: `M ${all}` }] },
];

function clean({ out, err }: Pick<Ran, "out" | "err">, most = 20_000): string {
  const text = out + err;
  expect(text).not.toMatch(CONTROL);
  expect(text).not.toMatch(STEERING);
  for (const part of GONE) expect(text).not.toContain(part);
  expect(text.length).toBeLessThan(most);
  expect(text).not.toBe("");
  return text;
}

describe("a hostile question of an agent", () => {
  let held: Asking;
  const commands = (id: string) => [
    ["ls"],
    ["ls", "--all"],
    ["show", id],
    ["log"],
    ["log", id],
    ["status"],
    ["decision", "list"],
    ["decision", "show", id],
    ["answer", id, "9", "9"],
    ["answer", id, "nope"],
    ["answer", id, "1"],
    ["decision", "resolve", id, "nope", "nope"],
    ["answer", id, all.replaceAll("\0", ""), all.replaceAll("\0", "")],
    ["show", all.replaceAll("\0", "")],
    [all.replaceAll("\0", "")],
  ];
  beforeAll(async () => {
    held = await ask(program, hostileQuestions(), { said: `S ${all}\n${all}` });
    await contextRead(program, held);
  });

  test("[X80] steers nothing, in words", async () => {
    for (const args of commands(held.id)) clean(await program.parley(args));
    const { out } = await program.parley(["show", held.id]);
    for (const words of ["[H", "Q ", "1. L1", "- D", "│ P", "  S "]) expect(out).toContain(words);
  });

  test("[X81] steers nothing on a terminal, where only the program's own colours are", async () => {
    for (const args of commands(held.id)) {
      const { text } = await onTerminal(program, args, { columns: 60 });
      clean({ out: withoutColours(text), err: "" });
    }
  });

  test("[X82] steers nothing in JSON, which keeps every character of it", async () => {
    for (const args of [["ls"], ["show", held.id], ["log"], ["status"], ["answer", held.id, "nope"]]) {
      const { out, err } = await program.parley([...args, "--json"]);
      expect(out + err).not.toMatch(CONTROL);
      expect(out + err).not.toMatch(STEERING);
    }
    const shown = JSON.parse((await program.parley(["show", held.id, "--json"])).out);
    const [first, second] = hostileQuestions();
    expect(shown.questions[0]).toMatchObject({ text: first?.question, header: first?.header });
    expect(shown.questions[0].options).toMatchObject(first?.options ?? []);
    expect(shown.questions[1].text).toBe(second?.question);
    expect(shown.origin.lastText).toBe(`S ${all}\n${all}`);
  });

  test("[X83] is answered by number, and what the surfaces say of it is safe", async () => {
    const words = ["1", "1", "-m", `mine ${all.replaceAll("\0", "")}`];
    const answering = program.parley(["answer", held.id, ...words]);
    const printed = JSON.parse(await held.output).hookSpecificOutput.decision.updatedInput;
    expect(Object.values(printed.answers)).toEqual(hostileQuestions().map(({ options }) => options[0]?.label));
    held.writes(`other ${all}`, "user_temporary");
    clean(await answering);
    for (const args of [...commands(held.id), ["ls", "--done"]]) clean(await program.parley(args));
  });
});

test("[X84] a hostile origin steers nothing", async () => {
  const { id } = await create(program, [store], {
    agent: `agent ${all}`,
    project: `project ${all}`,
    branch: all,
    session: all,
    mode: all,
    cwd: all,
    lastText: all,
    pane: { server: all, id: all },
  });
  for (const args of [["ls"], ["show", id], ["log"], ["answer", id, "1"], ["answer", id, "2"], ["ls", "--all"]])
    clean(await program.parley(args));
  const { out } = await program.parley(["show", id]);
  expect(out).toMatch(/From: agent .* · project /);
});

test("[X85] a hostile actor and message steer nothing", async () => {
  const { id } = await create(program);
  const body = { action: "decline", message: `why ${all}`, surface: "s\u001b]0;PWNED\u0007\u202e" } as const;
  await program.client().call("settleAsk", { id, body });
  for (const args of [
    ["show", id],
    ["log", id],
    ["answer", id, "1"],
    ["ls", "--state", "settled"],
  ])
    clean(await program.parley(args));
});

describe("too much of it", () => {
  const huge = [
    ["a line of 900 kB", "x".repeat(900_000)],
    ["10 kB of escape codes", "\u001b[31m\u001b]0;PWNED\u0007".repeat(600)],
    ["20,000 lines", "y\n".repeat(20_000)],
    ["one letter with 100,000 marks", `e${"\u0301".repeat(100_000)}`],
    ["50,000 wide letters", "漢".repeat(50_000)],
  ] as const;
  test.each(huge)("[X86] as the question: %s", async (_, text) => {
    await bounded([{ question: text, header: "H", options: [{ label: "A" }, { label: "B" }] }]);
  });
  test.each(huge)("[X87] as everything else: %s", async (_, text) => {
    const part = text.slice(0, 40_000);
    const option = { label: part, description: part, preview: part };
    await bounded([{ question: "Q?", header: part, options: [option, { ...option, label: `B${part}` }] }], part);
  });
  test("[X88] as options without end", async () => {
    const options = Array.from({ length: 400 }, (_, i) => ({ label: `${i} ${"long ".repeat(80)}` }));
    await bounded([{ question: "Q?", options }], "", 200_000, 500);
  });

  async function bounded(questions: object[], said = "", most = 140_000, mostLines = 250): Promise<void> {
    const held = await ask(program, questions, { said });
    for (const args of [["ls"], ["log", held.id], ["answer", held.id, "nope"]]) clean(await program.parley(args), 6000);
    expect(clean(await program.parley(["show", held.id]), most).split("\n").length).toBeLessThan(mostLines);
    const { text } = await onTerminal(program, ["ls"], { columns: 40 });
    expect(text.split("\n").filter((line) => Bun.stringWidth(line) > 40)).toEqual([]);
    const { err } = await program.parley(["answer", held.id, "nope", "--json"]);
    expect(err.length).toBeLessThan(6000);
    await Promise.all([program.parley(["answer", held.id, "2"]), held.takes()]).then(([answered]) =>
      clean(answered, 6000),
    );
    clean(await program.parley(["show", held.id]), most);
    clean(await program.parley(["answer", held.id, "1"]), 6000);
  }
});
