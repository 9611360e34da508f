import { afterAll, expect } from "bun:test";
import type { Say } from "../../src/lab/model.ts";
import { eachGemini, kinCases, type KinStage, openGeminiStage } from "./gemini-stage.ts";

const option = (label: string) => ({ label, description: `What ${label} means` });
const single = (name: string, more: object = {}) => ({
  header: "Database",
  question: `Which database for ${name}?`,
  type: "choice",
  options: ["PostgreSQL", "SQLite, embedded", "DuckDB"].map(option),
  ...more,
});
const asks = (name: string, ...questions: object[]): Say => ({
  tool: "ask_user",
  id: `call_${name}`,
  input: { questions: questions.length > 0 ? questions : [single(name)] },
});
const several = { header: "Features", question: "Which *features* for `several`?", type: "choice", multiSelect: true };
const runs = (name: string): Say => ({
  tool: "run_shell_command",
  id: `call_${name}`,
  input: { command: `touch ${name}.txt && echo "${name}; done"`, description: "to try it" },
});
const script: Record<string, Say[]> = {
  one: [{ text: "Let me ask." }, asks("one")],
  several: [asks("several", { ...several, options: ["Auth", "Billing", "Search", "Admin, all of it"].map(option) })],
  form: [
    asks(
      "form",
      single("form"),
      { ...several, question: "Which features for the form?", options: ["Auth", "Billing"].map(option) },
      { header: "Name", question: "What is it called?", type: "text", placeholder: "my-project" },
      { header: "Deploy", question: "Deploy now?", type: "yesno" },
    ),
  ],
  own: [asks("own")],
  esc: [asks("esc")],
  declined: [asks("declined")],
  chat: [asks("chat")],
  twice: [asks("first"), asks("second", single("second"))],
  once: [runs("once")],
  always: [runs("always")],
  denied: [runs("denied")],
  worded: [runs("worded")],
  write: [{ tool: "write_file", id: "call_write", input: { file_path: "made.txt", content: "one\ntwo\n" } }],
};

/** One Gemini CLI for all of a version: it goes on after each. Who is first, and what dies: test/agents/proof. */
eachGemini("keys", ({ version, main, rest }) => {
  let opened: Promise<KinStage> | undefined;
  const open = () => (opened ??= openGeminiStage(version, script));
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());
  const { asking, waiting, becomes, openAsk } = kinCases(open);
  /** The dialog says that another one is behind it. */
  const askingBehind = async (name: string, text: string) => {
    const stage = await open();
    await stage.lab.prompt(`SCENARIO:${name} please`);
    await stage.lab.tmux.waitFor(/Answer Questions\s+1 of 2/);
    return { stage, ask: await openAsk(stage, text) };
  };

  main("[GM1] a question is answered from a shell: typed into its dialog, and proven by its chat file", async () => {
    const { stage, ask } = await asking("one", "Which database for one?");
    expect(ask).toMatchObject({ kind: "question", reachable: true, origin: { agent: "gemini" } });
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ Gemini CLI received")]);
    expect((await stage.model.waitForToolResult("call_one")).text).toBe(
      JSON.stringify({ output: JSON.stringify({ answers: { 0: "SQLite, embedded" } }) }),
    );
    expect(await becomes(stage, ask, "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
      deliveries: [{ channel: "keys", state: "verified" }],
    });
  });

  rest("[GM2] several options, of a list that shows three at a time", async () => {
    const { stage, ask } = await asking("several", "features");
    await stage.parley("answer", ask.id, "1,4");
    expect((await stage.model.waitForToolResult("call_several")).text).toContain("Auth, Admin, all of it");
    await becomes(stage, ask, "verified");
  });

  rest("[GM3] a form of four kinds of question, with own words, is sent from its review page", async () => {
    const { stage, ask } = await asking("form", "Which database for form?");
    expect(ask.questions.map(({ options, multiSelect }) => [options.length, multiSelect])).toEqual([
      [3, false],
      [2, true],
      [0, false],
      [2, false],
    ]);
    const said = await stage.parley("answer", ask.id, "3", "1,2", "q4=2", "--text", "q3=acme; the second");
    expect(said.out + said.err).toContain("✓ Gemini CLI received");
    expect((await stage.model.waitForToolResult("call_form")).text).toContain("acme; the second");
    const { outcome } = await becomes(stage, ask, "verified");
    expect(outcome?.answers).toMatchObject([
      { picks: [2] },
      { picks: [0, 1] },
      { picks: [], text: "acme; the second" },
      { picks: [1] },
    ]);
  });

  rest("[GM4] own words that are longer than a line", async () => {
    const words =
      "Neither: keep the files as they are, write them once a day; later we shall see what the load is, and then decide again";
    const { stage, ask } = await asking("own", "Which database for own?");
    await stage.parley("answer", ask.id, "--text", words);
    expect((await stage.model.waitForToolResult("call_own")).text).toContain(words);
    await becomes(stage, ask, "verified");
  });

  rest("[GM6] Esc in the terminal ends it as declined; declined from outside is Esc", async () => {
    const { stage, ask } = await asking("esc", "Which database for esc?");
    await stage.lab.tmux.keys("Escape");
    expect(await becomes(stage, ask, "closed")).toMatchObject({ outcome: { type: "declined" } });
    const outside = await asking("declined", "Which database for declined?");
    await stage.parley("answer", outside.ask.id, "--decline");
    await becomes(stage, outside.ask, "verified");
    expect(await stage.lab.tmux.screen()).toContain("Request cancelled.");
  });

  rest("[GM7] who wants to talk leaves the dialog, and their words are the next message", async () => {
    const { stage, ask } = await asking("chat", "Which database for chat?");
    await stage.parley("answer", ask.id, "--chat", "What would each of them cost us?");
    await becomes(stage, ask, "verified");
    await stage.lab.tmux.waitFor(/> What would each of them cost us\?/);
  });

  rest(
    "[GM8] beside a second question of the same message no key is pressed: Gemini CLI would give it the same answer",
    async () => {
      const { stage, ask } = await askingBehind("twice", "Which database for first?");
      await stage.program.parley(["answer", ask.id, "2"]);
      const told = await stage.find(({ id, deliveries }) => id === ask.id && deliveries.some((d) => d.released));
      expect(told.deliveries[0]?.released).toContain("gives the answer to one question of a message to the others too");
      expect(await stage.lab.tmux.screen()).toContain("● 1.  PostgreSQL");
      await stage.lab.tmux.keys("Escape");
      await stage.find(({ id, state }) => id === ask.id && state === "closed");
    },
  );

  rest("[GM9] a command is allowed once, for the session, and denied, by the rows of its dialog", async () => {
    const { stage, ask } = await waiting("once");
    expect(ask.questions[0]?.options.map(({ label, effect }) => [label, effect])).toEqual([
      ["Approve", "allow"],
      ["Allow for this session", "allow"],
      ["Deny and stop", "cancel"],
    ]);
    await stage.parley("answer", ask.id, "3");
    await becomes(stage, ask, "verified");
    const again = await waiting("denied");
    await stage.parley("answer", again.ask.id, "1");
    expect((await stage.model.waitForToolResult("call_denied")).text).toContain("denied; done");
    await becomes(stage, again.ask, "verified");
  });

  rest("[GM10] a call denied with words: they are the next message", async () => {
    const { stage, ask } = await waiting("worded");
    await stage.parley("answer", ask.id, "3", "-m", "Use mktemp instead");
    await becomes(stage, ask, "verified");
    await stage.lab.tmux.waitFor(/> Use mktemp instead/);
  });

  rest(
    "[GM11] a file is written when its change was allowed, and a command allowed for the session asks no more",
    async () => {
      const { stage, ask } = await waiting("write", "made.txt");
      expect(ask.questions[0]).toMatchObject({ title: "write made.txt (+2)", body: "+ one\n+ two" });
      await stage.parley("answer", ask.id, "1");
      expect((await stage.model.waitForToolResult("call_write")).text).toContain("Successfully created");
      await becomes(stage, ask, "verified");
      const always = await waiting("always");
      await stage.parley("answer", always.ask.id, "2");
      expect((await stage.model.waitForToolResult("call_always")).text).toContain("always; done");
      await becomes(stage, always.ask, "verified");
    },
  );
});
