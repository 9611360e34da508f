import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { asking } from "./ask-asking.ts";
import { timeless } from "./cli-words.ts";
import { COMMAND, createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());
const confirming = (args: string[] = ["Deploy?"]) => asking(program, args, {}, "confirm");
const answer = (id: string, ...words: string[]) => program.parley(["answer", id, "--only", ...words]);

describe("what a person answers", () => {
  test.each([
    [["1"], 0, "Yes\n", ""],
    [["2"], 1, "No\n", ""],
    [["yes"], 0, "Yes\n", ""],
    [["No"], 1, "No\n", ""],
    [["1", "-m", "but small"], 0, "Yes\n", "Note: but small\n"],
    [["2", "-m", "not on a Friday"], 1, "No\n", "Note: not on a Friday\n"],
    [["-m", "only to staging"], 15, "only to staging\n", "✗ neither yes nor no: own words\n"],
    [["--text", "Yes"], 15, "Yes\n", "✗ neither yes nor no: own words\n"],
    [["--decline"], 10, "", '✓ shell script received "declined" (TIME)\n'],
    [["--decline", "-m", "ask Ann"], 10, "ask Ann\n", '✓ shell script received "ask Ann" (declined) (TIME)\n'],
    [["--cancel"], 12, "", '✓ shell script received "cancelled" (TIME)\n'],
    [["--chat", "why now?"], 13, "why now?\n", '✓ shell script received "why now?" (chat) (TIME)\n'],
  ])("[SF1] %j ends with exit code %d", async (words, code, out, err) => {
    const { id, ended } = await confirming();
    await answer(id, ...words);
    const result = await ended;
    expect({ ...result, err: timeless(result.err) }).toEqual({ code, out, err });
  });

  test("[SF2] option 1 is Yes, option 2 is No, each with what it means", async () => {
    const { id, ended } = await confirming(["Deploy?", "--yes", "ship it", "--no", "wait", "--header", "Deploy"]);
    expect((await program.parley(["show", id])).out).toContain(
      "[Deploy] Deploy?\n  1. Yes - ship it\n  2. No - wait\n",
    );
    await answer(id, "1");
    expect((await ended).code).toBe(0);
  });

  test.each([
    [[], { code: 11, out: "", err: "✗ expired: no answer within 300 ms\n" }],
    [["--on-timeout", "expire"], { code: 11, out: "", err: "✗ expired: no answer within 300 ms\n" }],
    [["--on-timeout", "choose=2"], { code: 1, out: "No\n", err: "" }],
    [["--on-timeout", "choose=1"], { code: 0, out: "Yes\n", err: "" }],
  ])("[SF3] nobody answers in time, %j", async (policy, told) => {
    expect(await program.parley(["confirm", "Deploy?", "--timeout", "300ms", ...policy])).toEqual(told);
  });

  test.each([
    ["1", 0, true],
    ["2", 1, false],
    ["--decline", 10, undefined],
  ])("[SF4] --json says it as well: %s", async (word, code, confirmed) => {
    const { id, ended } = await confirming(["Deploy?", "--json"]);
    await answer(id, word);
    const result = await ended;
    expect([result.code, JSON.parse(result.out).confirmed, JSON.parse(result.out).id]).toEqual([code, confirmed, id]);
  });
});

describe("what fails is neither yes nor no", () => {
  test.each([
    [["Deploy?", "--bogus"], 2, "✗ Unknown option '--bogus'. See: parley confirm --help\n"],
    [
      ["Deploy?", "--timout", "3m"],
      2,
      "✗ Unknown option '--timout'. Did you mean --timeout? See: parley confirm --help\n",
    ],
    [["Deploy?", "--no-wait"], 2, "✗ Unknown option '--no-wait'. See: parley confirm --help\n"],
    [["Deploy?", "-o", "Yes"], 2, "✗ Unknown option '-o'. See: parley confirm --help\n"],
    [["Deploy?", "-h", "Deploy"], 2, "✗ --help stands alone: parley confirm --help; a header is --header\n"],
    [["Deploy?", "--timeout", "soon"], 2, /^✗ --timeout/],
    [["Deploy?", "--timeout"], 2, /^✗ Option '--timeout <value>' argument missing/],
    [["Deploy?", "--on-timeout", "yes", "--timeout", "1m"], 2, /^✗ --on-timeout: expire or choose=N/],
    [["Deploy?", "--timeout", "1m", "--on-timeout", "choose=3"], 2, /^✗ /],
    [["Deploy?", "--context", "/nowhere/at/all"], 2, /^✗ --context: \/nowhere\/at\/all cannot be read/],
    [["Deploy?", "now"], 2, '✗ Give one question: parley confirm "Deploy?"\n'],
    [[], 2, '✗ Give one question: parley confirm "Deploy?"\n'],
    [["x".repeat(9000)], 2, /^✗ /],
  ])("[SF5] %j", async (args, code, err) => {
    const result = await program.parley(["confirm", ...args]);
    expect([result.code, result.out]).toEqual([code, ""]);
    if (typeof err === "string") expect(result.err).toBe(err);
    else expect(result.err).toMatch(err);
  });

  test("[SF6] a daemon that is stopped, cannot start, or is not to be used", async () => {
    const own = createProgram();
    try {
      await own.start();
      await own.parley(["down"]);
      expect((await own.parley(["confirm", "Deploy?"])).code).toBe(69);
      expect((await own.parley(["confirm", "Deploy?"], { env: { PARLEY_HOME: "/dev/null/x" } })).code).toBe(74);
    } finally {
      await own.dispose();
    }
  });

  test("[SF6] a home that others may write into, which is a 1 elsewhere", async () => {
    const own = createProgram();
    try {
      mkdirSync(own.home, { mode: 0o777 });
      Bun.spawnSync(["chmod", "0777", own.home]);
      const [confirm, ls] = [await own.parley(["confirm", "Deploy?"]), await own.parley(["ls"])];
      expect([confirm.code, ls.code]).not.toContain(0);
      expect(confirm.code).not.toBe(1);
    } finally {
      await own.dispose();
    }
  });

  test("[SF7] what breaks outside of every command: the folder it is called in is gone", async () => {
    const gone = join(program.root, "gone");
    mkdirSync(gone);
    const script = 'rmdir "$PWD"; "$@"; echo "code $?"';
    const { stdout } = Bun.spawnSync(
      ["sh", "-c", script, "sh", join(import.meta.dir, "../../bin/parley"), "confirm", "?"],
      {
        cwd: gone,
        env: { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home },
      },
    );
    rmSync(gone, { recursive: true, force: true });
    expect(stdout.toString()).toBe("code 70\n");
  });

  test.each(["1", "2"])("[SF8] nobody reads what it prints (%s)", async (word) => {
    const script = '{ "$@"; echo "$?" >code; } | true; cat code';
    const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home };
    const child = Bun.spawn(["bash", "-c", script, "sh", ...COMMAND, "confirm", `Unread ${word}?`], {
      cwd: program.user,
      env,
    });
    const mine = async () => {
      const { asks } = await program.client().call("listAsks");
      return asks.find(({ questions }) => questions[0]?.text === `Unread ${word}?`);
    };
    expect(await holds(async () => (await mine())?.reachable ?? false)).toBe(true);
    await answer((await mine())?.id ?? "", word);
    expect(await child.stdout.text()).toBe("70\n");
  });

  test.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)("[SF8] it is ended by %s", async (signal) => {
    const { child } = await confirming();
    child.kill(signal);
    const code = await child.exited;
    expect(code).toBeGreaterThan(1);
  });

  test("[SF9] a daemon that is killed while it waits is waited for; the answer still counts", async () => {
    const { id, ended } = await confirming();
    await program.kill9();
    await program.start();
    await answer(id, "2");
    expect((await ended).code).toBe(1);
  });
});
