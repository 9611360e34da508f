import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { question } from "./api-request.ts";
import { onTerminal, withoutColours } from "./cli-terminal.ts";
import { create, linesOf, store } from "./cli-words.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
let id: string;
const LONG = "Should the 240 tests move to the new runner, or stay where they are until somebody touches them?";
const WIDE = "どのデータベースを使いますか、それとも今のままにしますか?";
beforeAll(async () => {
  program = createProgram();
  await program.start();
  // What `up` would ask here: whether to link the program.
  await Bun.write(join(program.home, "link-declined"), "");
  ({ id } = await create(program, [question("Store", { question: LONG })], { project: "billing" }));
  await create(program, [question("Store", { question: WIDE })], { project: "日本語プロジェクト" });
  await create(program, [question("Store", { question: `👨‍👩‍👧‍👦 ${WIDE}` }), store].map(named), { project: "x" });
  await create(program, [store], { project: "a-very-long-name-of-a-project" });
});
afterAll(() => program.dispose());
const named = (asked: object, i: number) => ({ ...asked, header: `Q${i}` });
const widest = (text: string) => Math.max(...linesOf(text).map((line) => Bun.stringWidth(line)));
const COMMANDS = () => [["ls"], ["ls", "--all"], ["show", id], ["log"], ["status"], ["up"], ["answer", id, "9"]];

test("[X70] on a terminal there are colours", async () => {
  for (const args of COMMANDS()) expect((await onTerminal(program, args)).text).toContain("\u001b[");
  const { text } = await onTerminal(program, ["ls"]);
  expect(text).toContain(`\u001b[1m${id.slice(0, 6)}\u001b[0m  `);
  expect((await onTerminal(program, ["nonsense"])).text).toStartWith("\u001b[31m✗\u001b[0m There is no command");
});

test.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("[X71] with %j no escape reaches the terminal", async (env) => {
  for (const args of COMMANDS()) expect((await onTerminal(program, args, { env })).text).not.toContain("\u001b");
});

test("[X72] without a terminal there is no escape, whatever TERM says", async () => {
  for (const args of [...COMMANDS(), ["nonsense"], ["show", id, "--json"]]) {
    const { out, err } = await program.parley(args, { env: { TERM: "xterm-256color", COLORTERM: "truecolor" } });
    expect(out + err).not.toContain("\u001b");
    expect(out + err).not.toBe("");
  }
});

test("[X73] what goes from a terminal into a file has no colours, errors too", async () => {
  const file = join(program.user, "into.txt");
  for (const [args, script] of [
    [["ls"], `"$@" > ${file}`],
    [["nonsense"], `"$@" 2> ${file}`],
  ] as const) {
    const { text } = await onTerminal(program, [...args], { script });
    expect(text).toBe("");
    expect(await Bun.file(file).text()).toMatch(/^[^\u001b]+$/);
  }
  const { text } = await onTerminal(program, ["nonsense"], { script: '"$@" > /dev/null' });
  expect(text).toStartWith("\u001b[31m✗");
});

test.each([40, 60, 80, 120])("[X74] on %d columns ls keeps one line for each, in even columns", async (columns) => {
  const lines = linesOf(withoutColours((await onTerminal(program, ["ls"], { columns })).text));
  expect(lines).toHaveLength(4);
  expect(widest(lines.join("\n"))).toBeLessThanOrEqual(columns);
  const begins = lines.map((line) => Bun.stringWidth(line.slice(0, line.search(/Should|ど|👨|Which/))));
  expect(new Set(begins).size).toBe(1);
  expect(lines[2]).toMatch(/ (\+1|\(\+1 more\))$/);
  if (columns < 80) expect(lines.filter((line) => line.includes("…")).length).toBeGreaterThan(1);
});

test.each([30, 40, 80])("[X75] on %d columns nothing is broken by the terminal itself", async (columns) => {
  await program.parley(["answer", id, "-m", `${LONG} ${WIDE}`]);
  for (const args of [["ls", "--all"], ["show", id], ["log"], ["answer", id, "1"], ["show", "nobody"]]) {
    const { text } = await onTerminal(program, args, { columns });
    if (args[0] !== "answer") expect(widest(withoutColours(text))).toBeLessThanOrEqual(columns);
  }
  const shown = withoutColours((await onTerminal(program, ["show", id], { columns })).text);
  const words = linesOf(shown)
    .map((line) => line.trim())
    .join(" ");
  expect(words).toContain(`[Store] ${LONG}`);
});
