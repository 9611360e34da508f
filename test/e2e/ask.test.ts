import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asked, asking, DEPLOY } from "./ask-asking.ts";
import { timeless } from "./cli-words.ts";
import { createProgram, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());
const get = (id: string) => program.client().call("getAsk", { id });
const answer = (id: string, ...words: string[]) =>
  program.parley(["answer", id, "--only", ...words], { env: UNTIL_RECEIVED });

const COUNT = "Give 2 to 4 options (-o), or none for an answer in somebody's own words: here";

describe("answers", () => {
  test("[AS1] the answer is on standard output, its receipt with the person", async () => {
    const { id, ended } = await asking(program);
    const told = await answer(id, "2");
    expect(timeless(told.out)).toBe('✓ shell script received "No" (TIME)\n');
    expect(await ended).toEqual({ code: 0, out: "No\n", err: "" });
    expect((await get(id)).state).toBe("verified");
  });

  test.each([
    [["1", "-m", "but small"], "Yes\n"],
    [["-m", "tomorrow"], "tomorrow\n"],
    [["-m", "two\nlines"], "two\nlines\n"],
  ])("[AS2] %j prints the label or the words alone", async (words, out) => {
    const { id, ended } = await asking(program);
    await answer(id, ...words);
    expect(await ended).toEqual({ code: 0, out, err: "" });
  });

  test("[AS35] an option without a description is shown by its label alone", async () => {
    const id = await asked(program, "Go on?", "-o", "Yes", "-o", "No: wait");
    const { out } = await program.parley(["show", id]);
    expect(out).toContain("\n  1. Yes\n  2. No - wait\n");
    expect((await program.parley(["show", id, "--md"])).out).toContain("- [ ] `Yes`\n- [ ] `No` – wait\n");
  });

  test("[AS3] several picks are printed one a line, own words behind them", async () => {
    const options = ["Auth", "A, B", 'say "x"', "🚀 launch"].flatMap((label) => ["-o", label]);
    const { id, ended } = await asking(program, ["Which features?", ...options, "--multi"]);
    await answer(id, "2,3,4", "--text", "and more");
    expect(await ended).toEqual({ code: 0, out: 'A, B\nsay "x"\n🚀 launch\nand more\n', err: "" });
  });

  test.each([
    [["--decline", "-m", "not now"], 10, "not now\n", '✓ shell script received "not now" (declined) (TIME)\n'],
    [["--decline"], 10, "", '✓ shell script received "declined" (TIME)\n'],
    [["--cancel"], 12, "", '✓ shell script received "cancelled" (TIME)\n'],
    [["--chat", "why?"], 13, "why?\n", '✓ shell script received "why?" (chat) (TIME)\n'],
  ])("[AS4] %j ends with exit code %d, its words on standard output", async (words, code, out, err) => {
    const { id, ended } = await asking(program);
    await answer(id, ...words);
    const result = await ended;
    expect({ ...result, err: timeless(result.err) }).toEqual({ code, out, err });
  });

  test("[AS5] --json prints the whole ask with its outcome, on one line", async () => {
    const { id, ended } = await asking(program, [...DEPLOY, "--json"]);
    await answer(id, "1", "-m", "small");
    const { code, out } = await ended;
    expect([code, out.indexOf("\n")]).toEqual([0, out.length - 1]);
    expect(JSON.parse(out)).toMatchObject({
      id,
      outcome: {
        type: "answered",
        answers: [{ picks: [0], note: "small" }],
        actor: { type: "person", surface: "cli" },
      },
    });
  });
});

describe("what is asked", () => {
  test("[FM19] a script asks in any script, with long labels, or for own words alone", async () => {
    const label = "A label that has more than five words in it";
    const id = await asked(program, "どのデータベース？", "-o", `${label}: yes`, "-o", "b");
    await asked(program, "أي منطقة؟", "-o", "a", "-o", "b");
    expect((await program.client().call("getAsk", { id })).questions[0]?.options[0]?.label).toBe(label);
    const free = await asked(program, "What should it be called?");
    expect((await program.parley(["show", free])).out).toEndWith(
      `Answer: parley answer ${free.slice(0, 6)} -m "your own words"\n`,
    );
    await program.parley(["answer", free, "-m", "Bob's thing"]);
    expect(await program.parley(["wait", free])).toEqual({ code: 0, out: "Bob's thing\n", err: "" });
  });

  test.each([
    ["Yes: ship it", "Yes", "ship it"],
    ["Plain", "Plain", "Plain"],
    ["10:30", "10:30", "10:30"],
    ["http://a.example: the first", "http://a.example", "the first"],
    ["C:\\x", "C:\\x", "C:\\x"],
    ["Both: a: b", "Both", "a: b"],
    ['Say "no", or: later, maybe', 'Say "no", or', "later, maybe"],
    ["🚀: go", "🚀", "go"],
    ["Ends:", "Ends:", "Ends:"],
  ])("[AS6] the option %j is the label %j and what it means", async (text, label, description) => {
    const id = await asked(program, "Deploy?", "-o", text, "-o", "Something else");
    expect((await get(id)).questions[0]?.options[0]).toMatchObject({ label, description });
    await answer(id, "1");
    expect((await program.parley(["wait", id])).out).toBe(`${label}\n`);
  });

  test("[AS7] where it comes from is known: project, branch, folder, name", async () => {
    const project = join(program.user, "shop");
    mkdirSync(join(project, ".git"), { recursive: true });
    await Bun.write(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
    const { out } = await program.parley(
      ["ask", ...DEPLOY, "--no-wait", "--header", "Ship", "--name", "CI", "--json"],
      {
        cwd: project,
      },
    );
    const made = JSON.parse(out);
    expect(made.origin).toEqual({ agent: "CI", cwd: project, project: "shop", branch: "main" });
    expect(made.questions[0].header).toBe("Ship");
    const { out: row } = await program.parley(["ls", "--project", "shop"]);
    expect(timeless(row)).toBe(`${made.id.slice(0, 6)}  TIME  shop  Deploy?\n`);
  });

  test("[AS8] a context is shown with the question: from a file, from standard input, cut, and never refused", async () => {
    const file = join(program.user, "context.txt");
    const lastText = async (content: string | Uint8Array, from: "file" | "stdin") => {
      await Bun.write(file, content);
      const args = ["ask", ...DEPLOY, "--no-wait", "--json", "--context", from === "file" ? file : "-"];
      const stdin = from === "stdin" && typeof content === "string" ? { stdin: content } : {};
      const { code, out, err } = await program.parley(args, stdin);
      expect([code, err]).toEqual([0, ""]);
      return JSON.parse(out) as { id: string; origin: { lastText: string } };
    };
    const small = await lastText("3 tests are red\n", "file");
    expect((await program.parley(["show", small.id])).out).toContain("shell script said before:\n  3 tests are red\n");
    expect((await lastText("from stdin ✓", "stdin")).origin.lastText).toBe("from stdin ✓");
    expect((await lastText("é😀".repeat(400_000), "file")).origin.lastText).toHaveLength(16_000);
    const binary = await lastText(new Uint8Array([0, 255, 27, 91, 50, 74, 254, 104, 105]), "file");
    expect(binary.origin.lastText).toEndWith("hi");
    expect((await program.parley(["show", binary.id])).out).not.toContain("\u001b");
    const endless = await program.parley(["ask", ...DEPLOY, "--no-wait", "--json", "--context", "/dev/zero"]);
    expect(JSON.parse(endless.out).origin.lastText).toHaveLength(16_000);
  });

  test.each([
    [[], 2, 'Give one question: parley ask "Which region?" -o "eu: Frankfurt" -o "us: Virginia"'],
    [["Deploy?", "-o", "a"], 2, `${COUNT} is 1`],
    [["Deploy?", ..."abcde".split("").map((label) => `-o${label}`)], 2, `${COUNT} are 5`],
    [["Deploy?", "-o", "a", "-o", " "], 2, "Option 2 (-o) is empty"],
    [[" ", "-o", "a", "-o", "b"], 2, "The question is empty"],
    [["Deploy?", "--multi"], 2, "--multi needs options: -o"],
    [["Deploy?", "-o", "x".repeat(81), "-o", "b"], 2, `Option label must be 1-80 characters: ${"x".repeat(79)}…`],
    [["Deploy", "-o", "a", "-o", "b"], 2, 'A question ends with a question mark: "Deploy?"'],
    [["Deploy?", "-o", "a", "-o", "a"], 2, "Duplicate option label: a"],
    [[...DEPLOY, "--assume", "1"], 2, "--assume needs --no-wait"],
    [[...DEPLOY, "--assume", "x", "--no-wait"], 2, '--assume: expected the number of an option, not "x"'],
    [[...DEPLOY, "--assume", "3", "--no-wait"], 2, "There is no option 3"],
    [[...DEPLOY, "--on-timeout", "expire"], 2, "--on-timeout needs --timeout"],
    [[...DEPLOY, "--timeout", "1m", "--on-timeout", "guess"], 2, '--on-timeout: expire or choose=N, not "guess"'],
    [[...DEPLOY, "--timeout", "1m", "--on-timeout", "choose=3"], 2, "There is no option 3"],
    [[...DEPLOY, "--timeout", "soon"], 2, '--timeout: expected a time such as 90s, 10m or 2h, not "soon"'],
    [[...DEPLOY, "--context", "/nowhere"], 2, "--context: /nowhere cannot be read (ENOENT)"],
    [[...DEPLOY, "--context", "/"], 2, "--context: / cannot be read (EISDIR)"],
  ])("[AS9] %j is refused in words, and nothing is asked", async (args, code, message) => {
    const count = async () => (await program.parley(["count"])).out;
    const before = await count();
    expect(await program.parley(["ask", ...args])).toEqual({ code, out: "", err: `✗ ${message}\n` });
    const { err } = await program.parley(["ask", ...args, "--json"]);
    expect(JSON.parse(err).error.message).toBe(message);
    expect(await count()).toBe(before);
  });
});

describe("wait", () => {
  test("[AS10] --no-wait prints the id; wait gets the answer, again and again", async () => {
    const id = await asked(program, ...DEPLOY);
    expect(await program.parley(["wait", id.slice(0, 8), "--timeout", "1ms"])).toMatchObject({ code: 14, out: "" });
    expect((await get(id)).state).toBe("open");
    await answer(id, "1");
    expect((await get(id)).state).toBe("settled");
    for (let time = 0; time < 2; time++)
      expect(await program.parley(["wait", id.slice(0, 8)])).toEqual({ code: 0, out: "Yes\n", err: "" });
    expect((await get(id)).state).toBe("verified");
  });

  test.each([
    [["1"], 0, "Yes\n", true, "The answer confirms the assumption.\n"],
    [["1", "-m", "small"], 0, "Yes\n", true, "The answer confirms the assumption.\n"],
    [["2"], 0, "No\n", false, "The answer contradicts the assumption.\n"],
    [["-m", "Yes"], 0, "Yes\n", false, "The answer contradicts the assumption.\n"],
  ])("[AS11] after --assume 1 the answer %j is judged", async (words, code, out, verdict, err) => {
    const id = await asked(program, ...DEPLOY, "--assume", "1");
    await answer(id, ...words);
    expect(await program.parley(["wait", id])).toEqual({ code, out, err });
    expect(JSON.parse((await program.parley(["wait", id, "--json"])).out)).toMatchObject({
      assumption: 0,
      assumptionHeld: verdict,
    });
  });

  test("[AS12] where nobody answered, an assumption is neither confirmed nor contradicted", async () => {
    const id = await asked(program, ...DEPLOY, "--assume", "2");
    const open = await program.parley(["wait", id, "--timeout", "1ms", "--json"]);
    expect([open.code, JSON.parse(open.out).assumptionHeld]).toEqual([14, undefined]);
    await answer(id, "--decline");
    expect(await program.parley(["wait", id])).toMatchObject({ code: 10, out: "" });
  });

  test("[AS13] wait is for questions of scripts, and for one of them", async () => {
    expect(await program.parley(["wait", "nobody"])).toMatchObject({ code: 3, out: "" });
    expect(await program.parley(["wait"])).toMatchObject({ code: 2, err: "✗ Give one id: parley wait <id>\n" });
    expect(await program.parley(["wait", "../x"])).toMatchObject({ code: 3 });
  });
});

test("[AS14] hostile text in a question, its context, its asker's name and its answer steers no terminal", async () => {
  const evil = "\u001b]0;x\u0007\u001b[2J\u202Eevil\u200B\u0085";
  const file = join(program.user, "evil.txt");
  await Bun.write(file, evil);
  const args = [`${evil}?`, "-o", `a${evil}: ${evil}`, "-o", "b", "--name", evil, "--context", file, "--header", "H"];
  const { id, ended } = await asking(program, args);
  const outputs = [await program.parley(["answer", id, "--only", "1", "-m", evil])];
  outputs.push(await ended, await program.parley(["wait", id]));
  for (const command of [["show", id], ["why", id], ["ls", "--all"], ["decisions"], ["decisions", "--md"], ["status"]])
    outputs.push(await program.parley(command), await program.parley([...command, "--json"]));
  for (const { out, err } of outputs) expect(out + err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b]/);
  const declined = await asking(program, args);
  await answer(declined.id, "--decline");
  expect((await declined.ended).err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b]/);
});
