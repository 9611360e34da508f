import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeId } from "../../src/core/id.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { createTaskStage, DATABASE, isDone, isWaiting, type TaskStage } from "./tasks-stage.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let stage: TaskStage;
beforeAll(async () => {
  stage = await createTaskStage();
});
afterAll(() => stage.dispose());

const CHECKS = { ...DATABASE, question: "Which checks should run?", header: "Checks", multiSelect: true };
const lines = (text: string) => text.split("\n").filter((line) => line !== "");

describe("parley tasks", () => {
  test("[TC1] tasks are a table: those that wait for somebody first, with what they wait for", async () => {
    const done = await stage.run([{ say: "All is done." }], "--name", "first one");
    await stage.becomes(done.id, isDone);
    const asks = await stage.run([{ ask: [DATABASE, CHECKS] }], "--name", "second one");
    await stage.becomes(asks.id, isWaiting);
    const { out } = await stage.type(["tasks"], { env: { COLUMNS: "120" } });
    const [head, ...rows] = lines(out);
    expect(head).toMatch(/^ID +STATE +AGE +TURNS +TOKENS +COST +NAME +NOW$/);
    const row = (name: string) => rows.find((line) => line.includes(name)) ?? "";
    expect(row("second one")).toMatch(
      /^\w{6} {2}waiting: question +[\w. ]+ {2}- +- +- +second one +2 questions: Which database should we use\?$/,
    );
    expect(row("first one")).toMatch(/^\w{6} {2}done +[\w. ]+ {2}3 +13k +\$0\.42 +first one +All is done\.$/);
    expect(rows.findIndex((line) => line.includes("second one"))).toBeLessThan(
      rows.findIndex((line) => line.includes("first one")),
    );
  });

  test.each([80, 100, 120])("[TC2] no line is wider than the terminal: %d columns", async (columns) => {
    await stage.run([{ say: "A long word. ".repeat(40) }], "--name", "日本語のとても長い名前のタスクです、本当に長い");
    const { out } = await stage.type(["tasks", "--all"], { env: { COLUMNS: String(columns) } });
    for (const line of lines(out)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test("[TC3] what ended more than a day ago is left out, and said; --all has it", async () => {
    const own = await createTaskStage();
    try {
      await own.terminate();
      const store = openSqlite(own.paths.database);
      const order = {
        prompt: "p",
        name: "long ago",
        agent: "claude-code",
        cwd: "/",
        priority: 0,
        worktree: false,
        review: false,
      };
      const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
      const events = [{ type: "task.created", order } as const, { type: "task.ended", state: "done" } as const];
      await store.append({ at: Date.now() - 2 * 86_400_000, task: { id, expected: 0, events } });
      await store.close();
      expect((await own.type(["tasks"])).out).toBe(
        'No tasks. Start one: parley run "prompt"\n1 older one: parley tasks --all\n',
      );
      expect((await own.type(["tasks", "--all"])).out).toContain("long ago");
      expect(JSON.parse((await own.type(["tasks", "--json"])).out)).toEqual({ tasks: [] });
    } finally {
      await own.dispose();
    }
  });

  test("[TC4] a task is meant by its id, a beginning of it, or its name; several that fit are named", async () => {
    const one = await stage.run([{ ask: [DATABASE] }], "--name", "twin");
    const two = await stage.run([{ ask: [DATABASE] }], "--name", "Twin");
    const show = async (typed: string) => stage.type(["task", "show", typed, "--json"]);
    for (const typed of [one.id, one.id.slice(0, 8)])
      expect((JSON.parse((await show(typed)).out) as { id: string }).id).toBe(one.id);
    const { out } = await stage.type(["completion", "--tasks"]);
    expect(out).toContain(`${one.id.slice(0, 6)}\ttwin\n${two.id.slice(0, 6)}\tTwin\n`);
    const both = await stage.type(["task", "show", "twi"]);
    expect(both.code).toBe(3);
    expect(both.err).toBe(`✗ "twi" matches several tasks: ${one.id.slice(0, 6)}, ${two.id.slice(0, 6)}\n`);
    await stage.type(["task", "cancel", one.id]);
    // Of those the one that is not over.
    expect((JSON.parse((await show("TWIN")).out) as { id: string }).id).toBe(two.id);
    await stage.type(["task", "cancel", two.id]);
    const nobody = await show("nobody");
    expect([nobody.code, JSON.parse(nobody.err).error.message]).toEqual([
      3,
      'No task "nobody". See: parley tasks --all',
    ]);
  });
});

describe("parley task", () => {
  test("[TC5] show says what it asks, how to answer, and who did what when", async () => {
    const { id } = await stage.run([{ say: "Let me ask." }, { ask: [DATABASE, CHECKS] }], "--name", "shown");
    await stage.becomes(id, isWaiting);
    const before = (await stage.type(["task", "show", "shown"], { env: { COLUMNS: "80" } })).out;
    const short = id.slice(0, 6);
    expect(before).toStartWith(`${short}  waiting: question  shown\n`);
    expect(before).toContain("[Database] Which database should we use? (q1)\n  1. SQLite - one file\n");
    expect(before).toContain(`Answer: parley task answer ${short} 1 1,2, or -m "own words"\n`);
    const answered = await stage.type(["task", "answer", "shown", "2", "1,2"]);
    expect(answered.code).toBe(0);
    await stage.becomes(id, isDone);
    const { out } = await stage.type(["task", "show", "shown"]);
    expect(out).toMatch(/\d\d:\d\d:\d\d {2}answered by a person \(cli\): Postgres; SQLite, Postgres \(\w{6}\)\n/);
    expect(out).toMatch(/\d\d:\d\d:\d\d {2}done\n/);
  });

  test("[TC6] answer takes the longest waiting question; who asks nothing is not answered", async () => {
    const { id } = await stage.run([{ ask: [DATABASE] }, { say: "Thanks." }], "--name", "answered");
    await stage.becomes(id, isWaiting);
    const wrong = await stage.type(["task", "answer", "answered", "9"]);
    expect([wrong.code, wrong.err]).toEqual([2, "✗ There is no option 9 (1-4)\n"]);
    expect((await stage.type(["task", "answer", "answered", "Postgres"])).code).toBe(0);
    await stage.becomes(id, isDone);
    const late = await stage.type(["task", "answer", "answered", "1"]);
    expect([late.code, late.err]).toEqual([4, "✗ answered asks nothing: it is done\n"]);
  });

  test("[TC7] feedback takes words or standard input, and goes to the agent", async () => {
    const { id } = await stage.run([{ say: "Shall I delete them?" }], "--name", "told");
    await stage.becomes(id, ({ waitingFor }) => waitingFor === "idle");
    const { code, out } = await stage.type(["task", "feedback", "told"], {
      stdin: "only *.bak\n",
      env: UNTIL_RECEIVED,
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/^✓ Parley received "only \*\.bak" \(.*\)\n$/)]);
    await stage.becomes(id, ({ run, state }) => run === 2 && state !== "in_progress");
    const { out: log } = await stage.type(["task", "logs", "told"]);
    expect(log).toContain("▶ only *.bak\n");
    expect(log).toContain("I was told: only *.bak\n");
    const { out: shown } = await stage.type(["task", "show", "told"]);
    expect(shown).not.toContain("parley setup");
    const late = await stage.type(["task", "feedback", "told", "more"]);
    expect([late.code, late.err]).toEqual([4, `✗ Task ${id} (told) is not waiting for anything: it is done\n`]);
  });

  test("[TC54] feedback says what became of it, not what should", async () => {
    const { id } = await stage.run([{ ask: [DATABASE] }, { say: "Thanks." }], "--name", "heard");
    await stage.becomes(id, isWaiting);
    const { code, out } = await stage.type(["task", "feedback", "heard", "neither"], {
      env: { PARLEY_RECEIPT_MS: "10000" },
    });
    // This agent keeps no record.
    expect([code, out]).toEqual([0, '… sent "neither" to Claude Code, not yet confirmed by its own record\n']);
  });

  test("[TC55] options may stand before the id", async () => {
    const { id } = await stage.run([{ ask: [DATABASE] }, { say: "Thanks." }], "--name", "before");
    await stage.becomes(id, isWaiting);
    expect((await stage.type(["task", "answer", "-m", "hello", "before"])).code).toBe(0);
    await stage.becomes(id, isDone);
    expect((await stage.type(["task", "show", "before"])).out).toContain("answered by a person (cli): hello");
    const none = await stage.type(["task", "answer", "-m", "hello"]);
    expect([none.code, none.err]).toEqual([2, "✗ Which one? parley task answer <id> <number>; see: parley tasks\n"]);
  });

  test("[TC56] a task in progress is said to be that", async () => {
    const wait = { call: "Bash", input: {}, result: "ok", until: `${stage.user}/never` };
    const { id } = await stage.run([wait], "--name", "busy");
    await stage.becomes(id, ({ state }) => state === "in_progress");
    const told = await stage.type(["task", "feedback", "busy", "faster"]);
    expect(told.err).toBe(`✗ Task ${id} (busy) is not waiting for anything: it is in progress\n`);
    const removed = await stage.type(["task", "rm", "busy"]);
    expect(removed.err).toStartWith(`✗ Task ${id} (busy) is in progress. Stop it first`);
    await stage.type(["task", "cancel", "busy"]);
  });

  test("[TC8] retry starts it again without its questions; cancel and done end it, once", async () => {
    const { id } = await stage.run([{ ask: [DATABASE] }], "--name", "ended");
    const first = await stage.becomes(id, isWaiting);
    await stage.type(["task", "retry", "ended"]);
    const again = await stage.becomes(id, (task) => isWaiting(task) && task.attempt === 2);
    expect(again.asks).not.toEqual(first.asks);
    expect(again.pending_questions?.map(({ ask }) => ask)).toEqual(again.asks);
    const done = await stage.type(["task", "done", "ended"]);
    expect(done.out).toBe(`${id.slice(0, 6)}  done  ended\n`);
    const twice = await stage.type(["task", "cancel", "ended"]);
    expect([twice.code, twice.err]).toEqual([4, `✗ Task ${id} (ended) has already ended: done\n`]);
    expect((await stage.task(id)).reason).toBe("marked done by you (cli)");
  });

  test("[TC9] rm forgets what is over, and only that", async () => {
    const { id } = await stage.run([{ ask: [DATABASE] }], "--name", "gone");
    await stage.becomes(id, isWaiting);
    const early = await stage.type(["task", "rm", "gone"]);
    expect([early.code, early.err]).toEqual([
      1,
      `✗ Task ${id} (gone) is waiting. Stop it first: parley task cancel ${id}\n`,
    ]);
    await stage.type(["task", "cancel", "gone"]);
    const removed = await stage.type(["task", "rm", "gone"]);
    expect([removed.code, removed.out]).toEqual([0, `${id.slice(0, 6)}  removed  gone\n`]);
    expect((await stage.type(["task", "show", id])).code).toBe(3);
    // What happened stays in the log.
    const { events } = await stage.client().call("readLog", { query: { task: id } });
    expect(events.map(({ type }) => type)).toContain("ask.captured");
    expect(events.at(-1)?.type).toBe("task.removed");
  });

  test.each([
    [["task"], "Say what to do: parley task show <id>"],
    [["task", "fly", "x"], 'There is no "task fly". See: parley task --help'],
    [["task", "rm"], "Which one? parley task rm <id>; see: parley tasks"],
    [["task", "logs"], "Give one id: parley task logs <id>; see: parley tasks"],
    [["tasks", "--watch"], "--watch needs a terminal; for programs: parley log -f --json"],
    [["run"], 'Give one prompt: parley run "prompt"'],
    [["run", "two", "words"], 'Give one prompt, in quotes: parley run "prompt"'],
    [["run", "x", "--budget", "lots"], '--budget: expected an amount in USD such as 2.50, not "lots"'],
    [["run", "x", "--priority", "high"], '--priority: expected a whole number, not "high"'],
    [["run", "x", "--agent", "nobody"], '"nobody" cannot run without a terminal; these can: claude-code, codex, qwen'],
    [
      ["run", "x", "--permission-mode", "yolo"],
      '"yolo" is no permission mode of claude-code: default, manual, plan, acceptEdits, auto, dontAsk, bypassPermissions',
    ],
  ])("[TC10] [FM10] wrong usage says what is needed: parley %p", async (args, message) => {
    const { code, out, err } = await stage.type(args);
    expect([code, out, err]).toEqual([2, "", `✗ ${message}\n`]);
  });

  test("[TC11] a folder that is not there is refused before anything is made", async () => {
    const { code, err } = await stage.type(["run", "x", "--cwd", "nowhere", "--name", "never"]);
    expect([code, err]).toEqual([2, `✗ There is no folder ${stage.project}/nowhere\n`]);
    expect((await stage.type(["task", "show", "never"])).code).toBe(3);
  });
});
