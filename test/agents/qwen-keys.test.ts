import { afterAll, expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Say } from "../../src/lab/model.ts";
import { eachQwen, openQwenStage } from "./qwen-stage.ts";
import { kinCases, type KinStage } from "./gemini-stage.ts";

/** It takes absolute paths alone. */
const MADE = mkdtempSync(join(tmpdir(), "parley-qwen-made-"));
const option = (label: string) => ({ label, description: `What ${label} means` });
const single = (name: string, more: object = {}) => ({
  header: "Database",
  question: `Which database for ${name}?`,
  multiSelect: false,
  options: ["PostgreSQL", "SQLite, embedded", "DuckDB"].map(option),
  ...more,
});
const asks = (name: string, ...questions: object[]): Say => ({
  tool: "ask_user_question",
  id: `call_${name}`,
  input: { questions: questions.length > 0 ? questions : [single(name)] },
});
const several = { header: "Features", question: "Which *features* for `several`?", multiSelect: true };
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
      { header: "Name", question: "What is it called?", multiSelect: false, options: ["acme", "emca"].map(option) },
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
  write: [
    { tool: "write_file", id: "call_write", input: { file_path: join(MADE, "made.txt"), content: "one\ntwo\n" } },
  ],
  again: [
    { tool: "write_file", id: "call_again", input: { file_path: join(MADE, "made.txt"), content: "one\ntwo\n" } },
  ],
};

/** One Qwen Code for all of a version: it goes on after each. Who is first, and what dies: test/agents/proof. */
eachQwen("keys", ({ version, main, rest }) => {
  let opened: Promise<KinStage> | undefined;
  const open = () => (opened ??= openQwenStage(version, script));
  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
    rmSync(MADE, { recursive: true, force: true });
  });
  const { asking, waiting, becomes } = kinCases(open);

  main("[QW1] a question is answered from a shell: typed into its dialog, and proven by its chat file", async () => {
    const { stage, ask } = await asking("one", "Which database for one?");
    expect(ask).toMatchObject({ kind: "question", reachable: true, origin: { agent: "qwen" } });
    const said = await stage.parley("answer", ask.id, "2");
    expect([said.code, said.out + said.err]).toEqual([0, expect.stringContaining("✓ Qwen Code received")]);
    expect((await stage.model.waitForToolResult("call_one")).text).toBe(
      "User has provided the following answers:\n\n**Database**: SQLite, embedded",
    );
    expect(await becomes(stage, ask, "verified")).toMatchObject({
      outcome: { type: "answered", actor: { type: "person", surface: "cli" } },
      deliveries: [{ channel: "keys", state: "verified" }],
    });
  });

  rest("[QW2] several options, with own words beside them", async () => {
    const { stage, ask } = await asking("several", "features");
    await stage.parley("answer", ask.id, "1,4", "--text", "and more");
    expect((await stage.model.waitForToolResult("call_several")).text).toContain("Auth, Admin, all of it, and more");
    await becomes(stage, ask, "verified");
  });

  rest("[QW3] a form, with own words, is sent from its review page", async () => {
    const { stage, ask } = await asking("form", "Which database for form?");
    const said = await stage.parley("answer", ask.id, "3", "1,2", "--text", "q3=acme; the second");
    expect(said.out + said.err).toContain("✓ Qwen Code received");
    expect((await stage.model.waitForToolResult("call_form")).text).toContain("**Name**: acme; the second");
    await becomes(stage, ask, "verified");
  });

  rest(
    "[QW4] own words that are longer than the line that shows them are not typed, and said to be too long",
    async () => {
      const words =
        "Neither: keep the files as they are, write them once a day; later we shall see what the load is, and then decide again";
      const { stage, ask } = await asking("own", "Which database for own?");
      await stage.program.parley(["answer", ask.id, "--text", words]);
      const told = await stage.find(({ id, deliveries }) => id === ask.id && deliveries.some((d) => d.released));
      expect(told.deliveries[0]?.released).toContain("the text is too long for this terminal");
      await stage.lab.tmux.keys("Escape");
      await becomes(stage, ask, "closed");
    },
  );

  rest("[QW6] Esc in the terminal ends it as declined; declined from outside is Esc", async () => {
    const { stage, ask } = await asking("esc", "Which database for esc?");
    await stage.lab.tmux.keys("Escape");
    expect(await becomes(stage, ask, "closed")).toMatchObject({ outcome: { type: "declined" } });
    const outside = await asking("declined", "Which database for declined?");
    await stage.parley("answer", outside.ask.id, "--decline");
    await becomes(stage, outside.ask, "verified");
  });

  rest("[QW7] who wants to talk leaves the dialog, and their words are the next message", async () => {
    const { stage, ask } = await asking("chat", "Which database for chat?");
    await stage.parley("answer", ask.id, "--chat", "What would each of them cost us?");
    await becomes(stage, ask, "verified");
    await stage.lab.tmux.waitFor(/> What would each of them cost us\?/);
  });

  rest("[QW8] two questions of one message are answered one after the other", async () => {
    const { stage, ask } = await asking("twice", "Which database for first?");
    // What became of it is written down when both are answered.
    await stage.program.parley(["answer", ask.id, "2"]);
    await stage.waitForQuestion("Which database for second?");
    const second = await stage.find((each) => each.questions[0]?.text === "Which database for second?");
    await stage.parley("answer", second.id, "3");
    expect((await stage.model.waitForToolResult("call_first")).text).toContain("SQLite, embedded");
    expect((await stage.model.waitForToolResult("call_second")).text).toContain("DuckDB");
    await becomes(stage, ask, "verified");
    await becomes(stage, second, "verified");
  });

  rest("[QW9] a command is denied, allowed once and always, by the rows of its dialog", async () => {
    const { stage, ask } = await waiting("denied");
    expect(ask.questions[0]?.options.map(({ label, effect }) => [label, effect])).toEqual([
      ["Approve", "allow"],
      ["Always allow in this project", "allow"],
      ["Deny and stop", "cancel"],
    ]);
    await stage.parley("answer", ask.id, "3");
    await becomes(stage, ask, "verified");
    for (const [name, choice] of [
      ["once", "1"],
      ["always", "2"],
    ] as const) {
      const again = await waiting(name);
      await stage.parley("answer", again.ask.id, choice);
      expect((await stage.model.waitForToolResult(`call_${name}`)).text).toContain(`${name}; done`);
      await becomes(stage, again.ask, "verified");
    }
  });

  rest(
    "[QW10] a file is written when its change was allowed; a call denied with words, and they are the next message",
    async () => {
      const { stage, ask } = await waiting("write", "made.txt");
      expect(ask.questions[0]).toMatchObject({
        title: `write ${join(MADE, "made.txt")} (+2)`,
        body: "+ one\n+ two",
      });
      await stage.parley("answer", ask.id, "3", "-m", "Use mktemp instead");
      await becomes(stage, ask, "verified");
      await stage.lab.tmux.waitFor(/> Use mktemp instead/);
      const again = await waiting("again", "made.txt");
      await stage.parley("answer", again.ask.id, "1");
      await becomes(stage, again.ask, "verified");
      expect(await Bun.file(join(MADE, "made.txt")).text()).toBe("one\ntwo\n");
    },
  );
});
