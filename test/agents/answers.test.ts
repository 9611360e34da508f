import { expect } from "bun:test";
import { eachVersion, openStage, question, type ToolQuestion } from "./stage.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

const approach = question("Which approach should we use?", ["Option A", "Option B", "Option C"]);
const previewed: ToolQuestion = {
  question: "Which layout do you like?",
  header: "Layout",
  multiSelect: false,
  options: [
    { label: "List", description: "one below the other", preview: "- a\n- b" },
    { label: "Grid", description: "side by side", preview: "a | b" },
  ],
};
const quoted = question("Which greetings do you want?", ['Say "hi"', "A, B", "Plain"], { multiSelect: true });
const QUOTED = { "2.1.325": `"Say \\"hi\\"", "A, B", "plus, mine"`, "2.1.197": `Say "hi", A, B, plus, mine` };

eachVersion("answered from a shell", ({ version, it, main, rest }) => {
  main("[R1] each form of answer reaches the model exactly, and is verified", async () => {
    await using stage = await openStage({ version });
    const tell = async (name: string, questions: ToolQuestion[], ...args: string[]) => {
      const ask = await stage.asks(questions, name);
      const told = await stage.answer(ask.id, ...args);
      expect(told.out + told.err).toMatch(/^✓ Claude Code received ".+" \(\d.*\)\n$/s);
      expect(told.code).toBe(0);
      const { text, isError } = await stage.received(name);
      expect(isError).toBe(false);
      return text;
    };

    expect(await tell("single", [approach], "2")).toContain('"Which approach should we use?"="Option B"');
    expect(await tell("label", [approach], "option", "c")).toContain('="Option C"');
    expect(await tell("text", [approach], "-m", 'my own, with "quotes" — naïve 日本語 🦊')).toContain(
      'my own, with "quotes" — naïve 日本語 🦊',
    );
    expect(await tell("note", [approach], "1", "-m", "but keep it small")).toMatch(
      /="Option A".*notes: but keep it small/s,
    );
    expect(
      await tell("multi", [question("Which features?", ["Auth", "Search", "Export"], { multiSelect: true })], "1,3"),
    ).toContain('"Which features?"="Auth, Export"');
    expect(await tell("quoted", [quoted], "1,2", "--text", "plus, mine")).toContain(
      `"Which greetings do you want?"="${QUOTED[version as keyof typeof QUOTED]}"`,
    );
    expect(await tell("preview", [previewed], "2", "-m", "dense please")).toMatch(/="Grid".*notes: dense please/s);

    const four = [
      approach,
      question("Which features do you want?", ["Auth", "Search"], { header: "Features", multiSelect: true }),
      question("Which database?", ["SQLite", "Postgres"], { header: "Database" }),
      question("Which name?", ["ünïcode ✓", "plain"], { header: "Name" }),
    ];
    const text = await tell("four", four, "3", "1,2", "q4=1", "-m", "q3=DuckDB, perhaps");
    expect(text).toContain('"Which approach should we use?"="Option C"');
    expect(text).toContain('"Which features do you want?"="Auth, Search"');
    expect(text).toContain('"Which database?"="DuckDB, perhaps"');
    expect(text).toContain('"Which name?"="ünïcode ✓"');
  });

  it("[R2] decline, chat and cancel reach the model in words, and are verified", async () => {
    await using stage = await openStage({ version });
    const declined = await stage.asks([approach], "declined");
    expect((await stage.answer(declined.id, "--decline", "-m", "not now")).out).toStartWith("✓ Claude Code received");
    expect(await stage.received("declined")).toMatchObject({
      isError: true,
      text: "The user declined to answer this question: not now",
    });
    const chat = await stage.asks([approach], "chat");
    expect((await stage.answer(chat.id, "--chat", "What do you mean by B?")).out).toStartWith("✓ Claude Code received");
    expect((await stage.received("chat")).text).toBe(
      "The user wants to talk about this before answering: What do you mean by B?",
    );
    const cancelled = await stage.asks([approach], "cancelled");
    expect((await stage.answer(cancelled.id, "--cancel")).out).toStartWith("✓ Claude Code received");
  });

  rest("[R3] wrong answers are refused with every problem, and the question stays open", async () => {
    await using stage = await openStage({ version });
    const ask = await stage.asks([
      approach,
      question("Which features?", ["Auth", "Search"], { header: "More", multiSelect: true }),
    ]);
    const wrong = await stage.answer(ask.id, "9");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("There is no option 9");
    const missing = await stage.answer(ask.id, "1");
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("Select at least one option");
    const inside = await stage.program.parley(["answer", ask.id, "1", "1"], {
      env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: stage.claude.sessionId() },
    });
    expect(inside.code).toBe(77);
    expect(inside.err).toContain("An agent may not answer its own question");
    expect((await stage.ask(approach.question)).state).toBe("open");
  });

  it("[R4] in hold mode no dialog opens and the answer is delivered and verified", async () => {
    const held = question("Which way, unattended?", ["This", "That"]);
    await using stage = await openStage({
      version,
      setup: ["--project", "--hold"],
      script: { held: [{ tool: "AskUserQuestion", id: "toolu_held", input: { questions: [held] } }] },
    });
    await stage.claude.prompt("SCENARIO:held");
    const ask = await stage.ask(held.question, (found) => found.reachable);
    expect(await stage.claude.tmux.screen()).not.toContain("Chat about this");
    expect((await stage.answer(ask.id, "2")).out).toStartWith('✓ Claude Code received "That"');
    expect((await stage.received("held")).text).toContain('"Which way, unattended?"="That"');
  });

  rest("[R5] where no person answered, one note tells the agent", async () => {
    await using stage = await openStage({ version });
    const ask = await stage.asks([approach]);
    const other = await stage.program.parley(["answer", ask.id, "1"], {
      env: { ...UNTIL_RECEIVED, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another-session" },
    });
    expect(other.out).toStartWith("✓ Claude Code received");
    expect((await stage.received()).text).toContain("notes: answered by another agent, not by a person");
    expect((await stage.ask(approach.question)).outcome?.actor.type).toBe("agent");
  });
});
