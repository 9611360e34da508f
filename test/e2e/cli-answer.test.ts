import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ask, APPROACH } from "./cli-asker.ts";
import { create, features, linesOf, listen, store, timeless } from "./cli-words.ts";
import { PARAGRAPH } from "./mismatch-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const run = async (...args: string[]) => {
  const { code, out, err } = await program.parley(["answer", ...args], { env: UNTIL_RECEIVED });
  return { code, out: timeless(out), err };
};
const stateOf = async (id: string) => (await program.client().call("getAsk", { id })).state;

describe("what is said", () => {
  const one = [store];
  const many = [features];
  const two = [store, features];
  test.each([
    [one, ["2"], [{ picks: [1] }], "PostgreSQL"],
    [one, ["PostgreSQL"], [{ picks: [1] }], "PostgreSQL"],
    [one, ["postgresql"], [{ picks: [1] }], "PostgreSQL"],
    [one, ["2", "-m", "but small"], [{ picks: [1], note: "but small" }], "PostgreSQL (note: but small)"],
    [one, ["-m", "neither"], [{ picks: [], text: "neither" }], "neither"],
    [one, ["--text", "neither"], [{ picks: [], text: "neither" }], "neither"],
    [one, ["3", "-m", "mine"], [{ picks: [], text: "mine" }], "mine"],
    [many, ["1,3"], [{ picks: [0, 2] }], "Auth, Export"],
    [many, ["Auth, Export"], [{ picks: [0, 2] }], "Auth, Export"],
    [many, ["1", "3"], [{ picks: [0, 2] }], "Auth, Export"],
    [many, ["1,4", "-m", "mine"], [{ picks: [0], text: "mine" }], "Auth, mine"],
    [two, ["2", "1,3"], [{ picks: [1] }, { picks: [0, 2] }], "PostgreSQL; Auth, Export"],
    [two, ["q2=1,3", "2"], [{ picks: [1] }, { picks: [0, 2] }], "PostgreSQL; Auth, Export"],
    [two, ["SQLite", "Search"], [{ picks: [0] }, { picks: [1] }], "SQLite; Search"],
    [two, ["2", "-m", "q2=all"], [{ picks: [1] }, { picks: [], text: "all" }], "PostgreSQL; all"],
    [two, ["2", "2", "-m", "q2=why"], [{ picks: [1] }, { picks: [1], note: "why" }], "PostgreSQL; Search (note: why)"],
    [two, ["2", "--text", "q2=x"], [{ picks: [1] }, { picks: [], text: "x" }], "PostgreSQL; x"],
  ])("[X20] %j answered with %j reaches the asker as it was meant", async (questions, words, answers, said) => {
    const made = await create(program, questions);
    const { taken } = await listen(program, made);
    expect(await run(made.id, ...words)).toEqual({ code: 0, out: `✓ script received "${said}" (TIME)\n`, err: "" });
    expect((await taken).outcome).toMatchObject({
      type: "answered",
      actor: { type: "person", surface: "cli" },
      answers,
    });
  });

  test.each([
    [["--decline"], { type: "declined" }, '"declined"'],
    [["--decline", "-m", "not now"], { type: "declined", message: "not now" }, '"not now" (declined)'],
    [["--chat", "why?"], { type: "chat", message: "why?" }, '"why?" (chat)'],
    [["--chat", "why?", "-m", "tell me"], { type: "chat", message: "why?\ntell me" }, '"why? tell me" (chat)'],
    [["--cancel"], { type: "cancelled" }, '"cancelled"'],
  ])("[X21] %j is an outcome of its own", async (words, outcome, said) => {
    const made = await create(program);
    const { taken } = await listen(program, made);
    expect(await run(made.id, ...words)).toEqual({ code: 0, out: `✓ script received ${said} (TIME)\n`, err: "" });
    const { at: _at, actor: _actor, ...rest } = (await taken).outcome ?? {};
    expect(rest).toEqual(outcome);
  });

  test("[X22] decision list, show and resolve are ls, show and answer", async () => {
    const made = await create(program, [store], { project: "alias" });
    const same = async (a: string[], b: string[]) => {
      // Each teaches its own words.
      const said = async (words: string[]) =>
        timeless((await program.parley(words)).out).replace(/^(Answer|Use|Tip): .*\n/gm, "");
      const one = await said(a);
      expect(one).toBe(await said(b));
      expect(one).not.toBe("");
    };
    await same(["decision", "list", "--project", "alias"], ["ls", "--project", "alias"]);
    const [shown = "", seeds = ""] = await Promise.all(
      [["show"], ["decision", "show"]].map(async (words) => (await program.parley([...words, made.id])).out),
    );
    // The same but for how it is answered.
    expect(timeless(shown).split("\nAnswer: ")[0]).toBe(timeless(seeds).split("\nUse: ")[0] ?? "");
    expect(seeds).toContain("Use: parley decision resolve");
    const resolved = await program.parley(["decision", "resolve", made.id, "2", "-m", "ok"]);
    expect(resolved.out).toBe('… saved: "PostgreSQL (note: ok)"; script has not picked it up yet\n');
  });

  test("[X23] an answer nobody waits for is kept, and said to be", async () => {
    const made = await create(program);
    const kept = '… saved: "SQLite"; script has not picked it up yet';
    expect(await run(made.id, "1")).toEqual({ code: 0, out: `${kept}\n`, err: "" });
    expect((await program.parley(["ls", "--state", "settled"])).out).toContain(`        ${kept}\n`);
  });
});

describe("what is refused", () => {
  test.each([
    [["9"], "✗ There is no option 9 (1-2)\n"],
    [["0"], "✗ There is no option 0 (1-2)\n"],
    [["1,2"], "✗ Select only one option\n"],
    [["3"], "✗ Other selected but no text entered\n"],
    [["--text", " "], "✗ Other selected but no text entered\n"],
    [["1", "--text", "x"], "✗ Select an option or enter text, not both\n"],
    [["MySQL"], '✗ No option is called "MySQL"; own words go with -m. Options: "SQLite", "PostgreSQL"\n'],
    [["q2=1"], "✗ 2 problems\n  q1: Select at least one option\n  q2: There is no question 2\n"],
    [["--chat", " "], "✗ Chat needs a message\n"],
    [["1", "--decline"], "✗ Choose one: an answer, --decline, --chat or --cancel\n"],
    [["--decline", "--cancel"], "✗ Choose one: an answer, --decline, --chat or --cancel\n"],
    [["-m", "x".repeat(10_001)], "✗ Text must be at most 10000 characters\n"],
  ])("[X24] %j is refused, and the question stays open", async (words, err) => {
    const { id } = await create(program);
    expect(await run(id, ...words)).toEqual({ code: 2, out: "", err });
    expect(await stateOf(id)).toBe("open");
  });

  test("[X25] no answer at all is asked for", async () => {
    const { id } = await create(program);
    const short = id.slice(0, 6);
    const err = `✗ What is the answer? parley answer ${short} <number>; see: parley show ${short}\n`;
    expect(await run(id)).toEqual({ code: 2, out: "", err });
  });

  test("[X26] of several questions every missing and wrong part is told at once", async () => {
    const { id } = await create(program, [store, features, { ...store, header: "When" }, { ...store, header: "Who" }]);
    expect(await run(id, "7", "1,nope")).toEqual({
      code: 2,
      out: "",
      err: [
        "✗ 4 problems",
        "  q1: There is no option 7 (1-2)",
        '  q2: No option is called "1,nope"; own words go with -m. Options: "Auth", "Search", "Export"',
        "  q3: Select at least one option",
        "  q4: Select at least one option",
        "",
      ].join("\n"),
    });
    expect(await run(id, "1", "1", "1")).toEqual({ code: 2, out: "", err: "✗ q4: Select at least one option\n" });
    const { err } = await program.parley(["answer", id, "1", "1", "2,1", "q9=1", "--json"]);
    const { code, problems } = JSON.parse(err).error as { code: string; problems: { field: string }[] };
    expect([code, problems.map(({ field }) => field)]).toEqual(["invalid", ["q3", "q4", "q9"]]);
    expect(await stateOf(id)).toBe("open");
  });

  test("[X27] from inside the asking session it is refused", async () => {
    const asking = await ask(program);
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: asking.session };
    for (const words of [["2"], ["--decline"], ["--chat", "x"], ["--cancel"]])
      expect(await program.parley(["answer", asking.id, ...words], { env })).toEqual({
        code: 77,
        out: "",
        err: "✗ An agent may not answer its own question: this is the session that asked\n",
      });
    expect(await stateOf(asking.id)).toBe("open");
    await asking.hangsUp();
  });

  test("[X28] from inside another session an agent answers, and the asking one is told so", async () => {
    const asking = await ask(program);
    const env = { ...UNTIL_RECEIVED, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another-session" };
    const answering = program.parley(["answer", asking.id, "2"], { env });
    const taken = await asking.takes();
    expect(JSON.stringify(taken)).toContain("answered by another agent, not by a person");
    expect(timeless((await answering).out)).toBe('✓ Claude Code received "Option B" (TIME)\n');
    const { out } = await program.parley(["show", asking.id]);
    expect(timeless(out)).toContain("CLOCK  answered by an agent (session another-, cli): Option B\n");
  });
});

describe("what happens to it", () => {
  test("[X30] the hook prints the answer, and the receipt is said in one line, the same later", async () => {
    const asking = await ask(program);
    const [answered, taken] = await Promise.all([
      program.parley(["answer", asking.id, "2", "-m", "keep it small"], { env: UNTIL_RECEIVED }),
      asking.takes(),
    ]);
    expect(taken.hookSpecificOutput.decision).toMatchObject({
      behavior: "allow",
      updatedInput: {
        questions: [APPROACH],
        answers: { "Which approach should we use?": "Option B" },
        annotations: { "Which approach should we use?": { notes: "keep it small" } },
      },
    });
    const sentence = '✓ Claude Code received "Option B (note: keep it small)" (TIME)';
    expect({ ...answered, out: timeless(answered.out) }).toEqual({ code: 0, out: `${sentence}\n`, err: "" });
    const same = answered.out.trim();
    expect((await program.parley(["show", asking.id])).out).toStartWith(`${asking.id.slice(0, 6)}  ${same}\n`);
    expect((await program.parley(["ls", "--done"])).out).toContain(`        ${same}\n`);
    expect((await program.client().call("getAsk", { id: asking.id })).sentence).toBe(same);
  });

  test.each([
    [["--decline", "-m", "not now"], "The user declined to answer this question: not now", '"not now" (declined)'],
    [["--chat", "why?"], "The user wants to talk about this before answering: why?", '"why?" (chat)'],
  ])("[X31] %j reaches the agent as a refusal with its words", async (words, told, said) => {
    const asking = await ask(program);
    const [answered, taken] = await Promise.all([run(asking.id, ...words), asking.takes()]);
    expect(taken.hookSpecificOutput.decision).toEqual({ behavior: "deny", message: told });
    expect(answered).toEqual({ code: 0, out: `✓ Claude Code received ${said} (TIME)\n`, err: "" });
  });

  test("[X32] who comes after the terminal is told what was chosen there", async () => {
    const asking = await ask(program);
    await asking.picksInTerminal("Option A");
    expect(await asking.output).toBe("");
    const late = { code: 4, out: "✗ the terminal was first: Option A\n", err: "" };
    expect(await run(asking.id, "2")).toEqual(late);
    expect(await run(asking.id, "--decline")).toEqual(late);
    const { code, out } = await program.parley(["answer", asking.id, "2", "--json"]);
    expect([code, JSON.parse(out).result]).toEqual([4, "✗ the terminal was first: Option A"]);
  });

  test("[X33] Esc in the terminal is a decision too", async () => {
    const asking = await ask(program);
    await asking.picksInTerminal(null);
    expect(await run(asking.id, "2")).toEqual({ code: 4, out: "✗ the terminal was first: declined\n", err: "" });
  });

  test("[X34] when the terminal overtakes an answer on its way, the answer says so", async () => {
    const asking = await ask(program);
    const answering = run(asking.id, "2");
    await asking.output;
    asking.writes("Option C", "user_temporary");
    expect(await answering).toEqual({ code: 4, out: "✗ the terminal was first: Option C\n", err: "" });
    expect(await run(asking.id, "1")).toEqual({ code: 4, out: "✗ the terminal was first: Option C\n", err: "" });
  });

  test("[X35] an agent that received something else is an error of its own", async () => {
    const asking = await ask(program);
    const answering = run(asking.id, "2");
    await asking.output;
    asking.writes("Option C", "hook");
    const out = '✗ Claude Code received something else: sent "Option B", received "Option C"\n';
    const { err, ...ended } = await answering;
    expect(ended).toEqual({ code: 5, out });
    expect(err).toStartWith("\n## AskUserQuestion Verification — MISMATCH\n");
    expect(err).toEndWith(`\n\n${PARAGRAPH}\n`);
  });

  test("[X36] an answer without a receipt is called sent, not received", async () => {
    const asking = await ask(program);
    const out = '… sent "Option B" to Claude Code, not yet confirmed by its own record\n';
    // Long enough for its hook to say that it has printed it, on a busy machine too.
    const env = { PARLEY_RECEIPT_MS: "10000" };
    expect(await program.parley(["answer", asking.id, "2"], { env })).toEqual({ code: 0, out, err: "" });
    await asking.takes();
    const received = async () =>
      (await program.parley(["show", asking.id])).out.includes('✓ Claude Code received "Opt');
    expect(await holds(received)).toBe(true);
  });

  test("[X37] an answer whose hook is gone is kept for the resumed session", async () => {
    const asking = await ask(program);
    await asking.hangsUp();
    expect(await run(asking.id, "2")).toEqual({
      code: 0,
      out: '… saved: "Option B"; Claude Code has not picked it up yet (its hook is gone; it gets the answer when the session is resumed)\n',
      err: "",
    });
  });

  test("[X38] of two shells at once one is told ✓, the other who was first and with what", async () => {
    for (let round = 0; round < 4; round++) {
      const asking = await ask(program);
      const both = Promise.all([run(asking.id, "1"), run(asking.id, "3")]);
      const { answers = {} } = (await asking.takes()).hookSpecificOutput.decision.updatedInput ?? {};
      const won = answers["Which approach should we use?"];
      const [winner, loser] = (await both).toSorted((a, b) => a.code - b.code);
      expect(winner).toEqual({ code: 0, out: `✓ Claude Code received "${won}" (TIME)\n`, err: "" });
      expect(loser).toEqual({ code: 4, out: `✗ too late: answered by cli TIME ago: ${won}\n`, err: "" });
    }
  });

  test("[X39] who comes after another answer is told by whom, when and what", async () => {
    const { id } = await create(program);
    const answers = [{ picks: [0], note: "small" }];
    await program.client().call("settleAsk", { id, body: { action: "answer", answers, surface: "web" } });
    const out = "✗ too late: answered by web TIME ago: SQLite (note: small)\n";
    expect(await run(id, "2")).toEqual({ code: 4, out, err: "" });
    const declined = await create(program);
    await program.client().call("settleAsk", { id: declined.id, body: { action: "decline", surface: "web" } });
    expect((await run(declined.id, "2")).out).toBe("✗ too late: declined by web TIME ago\n");
    expect(linesOf((await program.parley(["log", id])).out)).toHaveLength(2);
  });
});
