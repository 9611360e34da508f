import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { ask } from "./cli-asker.ts";
import { create, linesOf, store, timeless } from "./cli-words.ts";
import { notice, prompt } from "./comfort-prompt.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

/** A word that may be nowhere in a report; each place has its own, so that a leak says where it is. */
const word = (place: string) => `zq${place}zq`;
const LEAK = /zq\w+zq/g;
const QUESTION = [
  {
    question: `${word("question")}?`,
    header: word("header"),
    options: [
      { label: word("label"), description: word("description"), preview: word("preview") },
      { label: "other", description: "x" },
    ],
  },
];
const report = async (id: string, ...args: string[]) => {
  const file = join(program.user, `report-${crypto.randomUUID()}.json`);
  const { code, out, err } = await program.parley(["bug-report", id, "--out", file, ...args]);
  expect([code, out, err]).toEqual([0, `Wrote ${file}. Look at it before you send it.\n`, ""]);
  return Bun.file(file).text();
};
const answered = async () => {
  const asking = await ask(program, QUESTION, { said: `${word("context")} ${homedir()} ${hostname()}` });
  const words = ["1", "-m", `${word("note")} ${userInfo().username} ${program.user}/x`];
  await Promise.all([program.parley(["answer", asking.id, ...words]), asking.takes()]);
  await holds(async () => (await program.client().call("getAsk", { id: asking.id })).state === "verified");
  return asking;
};

describe("why", () => {
  test("[CF50] [FM8] five sentences; with --raw the payload in, the reply out, the agent's own record and the timings", async () => {
    const asking = await answered();
    const { code, out } = await program.parley(["why", asking.id, "--raw"]);
    expect(code).toBe(0);
    const parts = ["The agent sent", "Its hook printed back", "The agent's own record", "How long each step took"];
    expect(linesOf(out).filter((line) => parts.includes(line))).toEqual(parts);
    expect(out).not.toContain("(nothing)");
    const evidence = JSON.parse((await program.parley(["why", asking.id, "--json"])).out);
    expect(evidence.payload).toMatchObject({ tool_name: "AskUserQuestion", tool_input: { questions: QUESTION } });
    expect(evidence.outputs[0].hookSpecificOutput.decision.behavior).toBe("allow");
    expect(evidence.record.map((line: string) => JSON.parse(line).message.content[0].type)).toEqual([
      "tool_use",
      "tool_result",
    ]);
    expect(evidence.timings.map(({ step }: { step: string }) => step)).toContain("ask.sent → ask.verified");
    const told = linesOf(timeless((await program.parley(["why", asking.id])).out));
    expect(told).toEqual([
      `Claude Code asked in user on CLOCK: “${word("question")}?”`,
      "It waited TIME for a decision, here and in the agent's own dialog.",
      expect.stringMatching(/^It was answered by a person \(cli\): zqlabelzq \(note: .*\)\.$/),
      "TIME later: taken by the agent's hook.",
      "Claude Code's own record held exactly that TIME later.",
      `The evidence: parley why ${asking.id.slice(0, 6)} --raw`,
    ]);
  });

  test("[CF51] for a permission prompt, whose hook names no call, the record's lines are found too", async () => {
    const asked = await prompt(program);
    await Promise.all([program.parley(["answer", asked.id, "1"], { env: UNTIL_RECEIVED }), asked.takes()]);
    const { record } = JSON.parse((await program.parley(["why", asked.id, "--json"])).out);
    expect(record).toHaveLength(2);
    expect(record.every((line: string) => line.includes(asked.key))).toBe(true);
  });

  test("[CF52] lines of the record that are about something else are not shown", async () => {
    const { id, payload } = await notice(program, "Waiting");
    const transcript = join(program.user, ".claude/projects/project", "other.jsonl");
    mkdirSync(dirname(transcript), { recursive: true });
    await Bun.write(transcript, `{"type":"user","message":{"content":"a notice to fetch self"}}\n`);
    const told = { ...payload, transcript_path: transcript, notification_type: "permission_prompt" };
    await program.parley(["hook", "Notification"], { stdin: JSON.stringify(told) });
    expect(JSON.parse((await program.parley(["why", id, "--json"])).out).record).toEqual([]);
  });

  test("[CF53] a record that is a pipe, a device or gone does not hold it up", async () => {
    const pipe = join(program.user, "pipe");
    Bun.spawnSync(["mkfifo", pipe]);
    for (const path of [pipe, "/dev/zero", "/nowhere"]) {
      const { id, payload } = await notice(program, "Waiting");
      const told = { ...payload, transcript_path: path, notification_type: "permission_prompt" };
      await program.parley(["hook", "Notification"], { stdin: JSON.stringify(told) });
      expect((await program.parley(["why", id])).code).toBe(0);
    }
  });

  test("[CF54] for a question of a script there is no payload, and that is said", async () => {
    const { id } = await create(program, [store]);
    expect((await program.parley(["why", id, "--raw"])).out).toContain("The agent sent\n  (nothing)\n");
    expect(await program.parley(["why"])).toMatchObject({ code: 2, err: "✗ Give one id: parley why <id>\n" });
  });
});

describe("bug-report", () => {
  test("[CF60] holds no word of a question, its context, an answer, a path or a name", async () => {
    const asking = await answered();
    const text = await report(asking.id);
    expect(text.match(LEAK) ?? []).toEqual([]);
    for (const name of [program.user, program.home, homedir(), "PARLEY_HOME"]) expect(text).not.toContain(name);
    const { ask: about, record, timings, platform } = JSON.parse(text);
    expect([about.id, about.state, record.length]).toEqual([asking.id, "verified", 2]);
    expect([timings.length > 3, platform]).toEqual([true, `${process.platform} ${process.arch}`]);
  });

  test("[CF61] nor of a command or a tool's input, whatever its fields are called", async () => {
    const fields = "command description file_path name id key type source mode reason kind version agent text at".split(
      " ",
    );
    const input = Object.fromEntries(fields.map((field) => [field, word(field)]));
    const nested = { ...input, [word("field")]: [{ name: word("deep"), [word("inner")]: 1234567 }] };
    const directories = [word("directory")];
    const asked = await prompt(program, {
      tool: "Bash",
      input: nested,
      suggestions: [{ type: "addDirectories", directories, destination: "session" }],
      env: { TMUX: `/${word("server")},1,0`, TMUX_PANE: word("pane") },
    });
    const words = ["answer", asked.id, "Deny", "-m", word("note")];
    await Promise.all([program.parley(words), asked.takes()]);
    const text = await report(asked.id);
    expect(text.match(LEAK) ?? []).toEqual([]);
    expect(text).not.toContain("1234567");
    expect(text).toContain('"tool_name": "Bash"');
  });

  test("[CF62] nor of what a script says about itself", async () => {
    const origin = Object.fromEntries(
      ["agent", "cwd", "project", "family", "branch", "mode", "lastText"].map((field) => [field, word(field)]),
    );
    const { id } = await create(program, [store], origin);
    await program.client().call("settleAsk", {
      id,
      body: { action: "chat", message: word("message"), surface: word("surface"), session: word("session") },
    });
    expect((await report(id)).match(LEAK) ?? []).toEqual([]);
  });

  test("[CF63] equal texts stay equal in one report and cannot be compared across two", async () => {
    const { id } = await create(program, [store], { project: "same-words", branch: "same-words" });
    const [one, two] = [JSON.parse(await report(id)), JSON.parse(await report(id))];
    expect(one.ask.origin.project).toBe(one.ask.origin.branch);
    expect(one.ask.origin.project).toMatch(/^<10 characters, [0-9a-f]+>$/);
    expect(two.ask.origin.project).not.toBe(one.ask.origin.project);
  });

  test("[CF64] --with-text keeps the words and still hides home, user and machine", async () => {
    const asking = await ask(program, [{ ...QUESTION[0], question: `May I change ${program.user}/x?` }]);
    const note = `${word("note")} ${hostname()}`;
    await Promise.all([program.parley(["answer", asking.id, "1", "-m", note]), asking.takes()]);
    const text = await report(asking.id, "--with-text");
    expect(text).toContain(word("note"));
    expect(text).toContain("May I change ~/x?");
    for (const name of [program.user, hostname(), userInfo().username]) expect(text).not.toContain(name);
  });

  test("[CF65] without --out it is written beside you under the question's id; --json names it", async () => {
    const { id } = await create(program, [store]);
    const file = `parley-report-${id.slice(0, 6)}.json`;
    expect((await program.parley(["bug-report", id, "--json"])).out).toBe(`{"file":"${file}"}\n`);
    expect(JSON.parse(await Bun.file(join(program.user, file)).text()).ask.id).toBe(id);
  });
});
