import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { question } from "./api-request.ts";
import { ask } from "./cli-asker.ts";
import { create, features, linesOf, listen, store, timeless } from "./cli-words.ts";
import { COMMAND, createProgram, holds, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());
// Everything before is done and gone: each test has the inbox for itself.
beforeEach(async () => {
  const human = program.client();
  const { asks } = await human.call("listAsks", { query: { state: "active" } });
  for (const { id, outcome } of asks) {
    if (!outcome) await human.call("settleAsk", { id, body: { action: "decline" } });
    await program.client("agent").call("receiveAnswer", { id });
  }
  await program.parley(["prune", "--days", "0"]);
});

const out = async (...args: string[]) => {
  const { code, out: text, err } = await program.parley(args);
  expect([code, err]).toEqual([0, ""]);
  return timeless(text);
};
const short = ({ id }: { id: string }) => id.slice(0, 6);
const asking = (text: string) => question("Store", { question: text });
/** Answered and taken. */
const finish = async (made: { id: string }, ...words: string[]) => {
  const { taken } = await listen(program, made);
  await program.parley(["answer", made.id, ...words], { env: UNTIL_RECEIVED });
  await taken;
};

describe("ls", () => {
  test("[X40] nothing waits", async () => {
    expect(await out("ls")).toBe("Nothing waits for you.\n");
    expect(await out("ls", "--done")).toBe("Nothing here.\n");
    expect(await out("ls", "--project", "none")).toBe("Nothing waits for you.\n");
  });

  test("[X41] one line for each, longest waiting first, in even columns", async () => {
    const [a, b, c, d] = [
      await create(program, [store], { project: "billing" }),
      await create(program, [store, features], { project: "日本語" }),
      await create(program, [asking(`${"long ".repeat(80)}?`)], { project: "a-project-with-a-very-long-name" }),
      await create(program),
    ];
    const text = await out("ls");
    expect(linesOf(text).map((line) => line.slice(0, 70).trimEnd())).toEqual([
      `${short(a)}  TIME  billing               Which database?`,
      `${short(b)}  TIME  日本語                Which database? (+1 more)`,
      `${short(c)}  TIME  a-project-with-a-ve…  long long long long long long long`,
      `${short(d)}  TIME  script                Which database?`,
    ]);
    expect(linesOf(text)[2]).toEndWith(" long long…");
    // The question begins in the same column of every row, wide letters or not.
    const begins = linesOf(text).map((line) => Bun.stringWidth(line.slice(0, line.search(/Which|long long/))));
    expect(new Set(begins).size).toBe(1);
  });

  test("[X42] --done, --all and --state say what happened below each", async () => {
    const open = await create(program, [store], { project: "p" });
    const done = await create(program, [features], { project: "p" });
    await finish(done, "1,3");
    const kept = await create(program, [store], { project: "p" });
    await program.parley(["answer", kept.id, "2"]);
    const rows = {
      open: `${short(open)}  TIME  p  Which database?\n`,
      done: `${short(done)}  TIME  p  Which features?\n        ✓ script received "Auth, Export" (TIME)\n`,
      kept: `${short(kept)}  TIME  p  Which database?\n        … saved: "PostgreSQL"; script has not picked it up yet\n`,
    };
    expect(await out("ls")).toBe(rows.open);
    expect(await out("ls", "--done")).toBe(rows.done);
    expect(await out("ls", "--all")).toBe(rows.kept + rows.done + rows.open);
    expect(await out("ls", "--state", "settled")).toBe(rows.kept);
    expect(await out("ls", "--state", "verified")).toBe(rows.done);
  });

  test("[X43] what does not fit is a command away, with the same options", async () => {
    const made = [];
    for (const project of ["p", "p", "p", "q"]) made.push(await create(program, [store], { project }));
    const [first, second] = linesOf(await out("ls", "--project", "p", "--limit", "1"));
    expect(first).toStartWith(short(made[0] ?? { id: "" }));
    expect(second).toBe(`More: parley ls --project p --limit 1 --after ${short(made[0] ?? { id: "" })}`);
    const next = linesOf(await out(...(second ?? "").replace("More: parley ", "").split(" ")));
    expect(next[0]).toStartWith(short(made[1] ?? { id: "" }));
    expect(await out("ls", "--project", "q")).toBe(`${short(made[3] ?? { id: "" })}  TIME  q  Which database?\n`);
  });
});

describe("status and prune", () => {
  test("[X44] status counts what waits and what is kept", async () => {
    const facts = `Parley 0.1.0 · pid ${program.registration().process.pid} · ${program.url()} · up TIME · 0 live sessions`;
    const home = `Home: ${program.home}`;
    const status = async () => linesOf(await out("status"));
    expect(await status()).toEqual(["Nothing waits for you", facts, home]);
    const first = await create(program, [store], { project: "shop" });
    const row = (made: { id: string }) => `  ${short(made)}  [question] shop · TIME · Which database?`;
    expect(await status()).toEqual(["1 question waits for you", row(first), facts, home]);
    const second = await create(program, [store], { project: "shop" });
    expect((await status()).slice(0, 3)).toEqual(["2 questions wait for you", row(first), row(second)]);
    await program.parley(["answer", first.id, "1"]);
    const kept = "1 answer not yet picked up by the agent: parley ls --state settled";
    expect((await status()).filter((line) => !line.startsWith("  "))).toEqual([
      "1 question waits for you",
      kept,
      facts,
      home,
    ]);
  });

  test("[X45] prune removes what is done, never what waits for somebody", async () => {
    const [open, kept, done] = [await create(program), await create(program), await create(program)];
    await program.parley(["answer", kept.id, "1"]);
    await finish(done, "1");
    expect(await out("prune")).toBe("Removed 0 settled questions.\n");
    expect(await out("prune", "--days", "0")).toBe("Removed 1 settled question.\n");
    expect((await program.parley(["show", done.id])).code).toBe(3);
    for (const { id } of [open, kept]) expect((await program.parley(["show", id])).code).toBe(0);
    for (const days of ["", "-1", "x", "0.5"])
      expect((await program.parley(["prune", `--days=${days}`])).err).toBe(
        `✗ --days: expected a whole number from 0 to 36500, not "${days}"\n`,
      );
  });
});

describe("log", () => {
  test("[X46] one line for each thing that happened, oldest first", async () => {
    const made = await create(program, [store], { project: "p" });
    await finish(made, "2", "-m", "small");
    const lines = [
      `CLOCK  ${short(made)}  asked: Which database?`,
      `CLOCK  ${short(made)}  answered by a person (cli): PostgreSQL (note: small)`,
      `CLOCK  ${short(made)}  taken by the asker`,
      `CLOCK  ${short(made)}  verified; receipt: taken by the asker`,
    ];
    expect(linesOf(await out("log", made.id))).toEqual(lines);
    expect(linesOf(await out("log", "-n", "2"))).toEqual(lines.slice(2));
  });

  test("[X47] sessions are in it too", async () => {
    const held = await ask(program);
    const stdin = { session_id: held.session, hook_event_name: "SessionEnd", reason: "logout", cwd: program.user };
    await held.hangsUp();
    await program.parley(["hook", "SessionEnd"], { stdin: JSON.stringify(stdin) });
    // What was chosen last in the terminal may reach the transcript only now: it is waited for.
    await holds(async () => (await out("log")).includes("withdrawn"));
    const lines = linesOf(await out("log"));
    expect(lines).toContain(`CLOCK  ${held.session.slice(0, 6)}  session seen`);
    expect(lines).toContain(`CLOCK  ${held.session.slice(0, 6)}  session ended: logout`);
    expect(lines).toContain(`CLOCK  ${short(held)}  withdrawn: the session ended`);
  });

  test("[X48] -f goes on as things happen and ends well with Ctrl-C", async () => {
    const before = await create(program);
    const child = program.spawn(["log", "-f", "-n", "1"]);
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    const until = async (words: string) => {
      while (!seen.includes(words)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`ended without ${words}: ${seen}`);
        seen += value;
      }
    };
    await until(`${short(before)}  asked`);
    const after = await create(program);
    await until(`${short(after)}  asked: Which database?\n`);
    await program.parley(["answer", after.id, "1"]);
    await until(`${short(after)}  answered by a person (cli): SQLite\n`);
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
    expect(await child.stderr.text()).toBe("");
    expect(linesOf(seen)).toHaveLength(3);
  });

  test("[X49] -f with an id follows that one only, as JSON too", async () => {
    const [mine, other] = [await create(program), await create(program)];
    const child = program.spawn(["log", mine.id, "-f", "--json"]);
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    await program.parley(["answer", other.id, "1"]);
    await program.parley(["answer", mine.id, "2"]);
    let seen = "";
    while (linesOf(seen).length < 2 || !seen.endsWith("\n")) seen += (await reader.read()).value ?? "";
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
    const events = linesOf(seen).map((line) => JSON.parse(line) as { ask: string; type: string });
    expect(events.map((event) => [event.ask, event.type])).toEqual([
      [mine.id, "ask.captured"],
      [mine.id, "ask.settled"],
    ]);
  });

  test("[X50] a reader that goes away is no error", async () => {
    await create(program);
    // More than a pipe holds, so that the program is still writing when its reader has gone.
    for (let i = 0; i < 4; i++) await create(program, [asking(`${"x".repeat(200_000)}?`)]);
    const script = '{ "$@"; echo "exit $?" >&2; } | head -n 1';
    const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home };
    const child = Bun.spawn(["sh", "-c", script, "sh", ...COMMAND, "log", "--json"], { env, stderr: "pipe" });
    const [text, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(linesOf(text)).toHaveLength(1);
    expect(err).toBe("exit 0\n");
    expect(await holds(() => child.exitCode === 0)).toBe(true);
  });
});
