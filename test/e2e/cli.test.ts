import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COMMANDS as TABLE } from "../../src/surfaces/cli/command-line/table.ts";
import { createProgram, type Program } from "./program.ts";
import { create, linesOf, listen } from "./cli-words.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

/** As the program itself lists them, so that a new one is looked at too. */
const COMMANDS = TABLE.flatMap(({ name, hidden }) => (hidden ? [] : name));
const LISTED = TABLE.flatMap(({ name, hidden, sameAs }) => (hidden || sameAs !== undefined ? [] : name));
const parsed = async (...args: string[]) => {
  const { code, out, err } = await program.parley([...args, "--json"], { env: UNTIL_RECEIVED });
  expect([code, err]).toEqual([0, ""]);
  expect(linesOf(out)).toHaveLength(1);
  return JSON.parse(out) as Record<string, unknown>;
};
const failed = (args: string[], env = {}) => program.parley(args, { env });

describe("help", () => {
  test.each(COMMANDS)("[X1] parley %s --help fits a screen of 24 × 80", async (command) => {
    const { code, out, err } = await program.parley([command, "--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^Usage: parley ${command}[ \n]`));
    // Those with the most ways to call them are those that are read most.
    const room: Record<string, number> = { answer: 42, run: 28, hub: 40 };
    expect(linesOf(out).length).toBeLessThan(room[command] ?? 24);
    expect(linesOf(out).filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
    expect((await program.parley(["help", command])).out).toBe(out);
  });

  test("[X2] parley alone shows every command on a line of its own, and every exit code", async () => {
    const { code, out } = await program.parley([]);
    expect(code).toBe(0);
    for (const command of LISTED) expect(out).toMatch(new RegExp(`^  ${command} +\\S`, "m"));
    for (const exit of [0, 1, 2, 3, 4, 5, 69, 77]) expect(out).toMatch(new RegExp(`(: |· |\\n)${exit} `));
    expect(linesOf(out).filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
    for (const name of ["help", "--help", "-h"]) expect((await program.parley([name])).out).toBe(out);
  });

  test("[X3] the version is said in words and as JSON", async () => {
    const { version } = await Bun.file("package.json").json();
    expect(await program.parley(["--version"])).toEqual({ code: 0, out: `parley ${version}\n`, err: "" });
    expect(await parsed("version")).toEqual({ version });
  });
});

describe("wrong usage", () => {
  test.each([
    [["lss"], 'There is no command "lss". Did you mean ls? See: parley --help'],
    [["--limit", "3", "ls"], "The command comes first: parley ls --limit 3. See: parley --help"],
    [["--all"], "The command comes first: parley <command> --all. See: parley --help"],
    [["toString"], 'There is no command "toString". See: parley --help'],
    [["ls", "--bogus"], "Unknown option '--bogus'. See: parley ls --help"],
    [["serve", "--bogus"], "Unknown option '--bogus'. See: parley serve --help"],
    [["down", "now"], "Unexpected argument 'now'. See: parley down --help"],
    [["ls", "--limit", "0"], '--limit: expected a whole number from 1 to 500, not "0"'],
    [["ls", "--limit", "1e2"], '--limit: expected a whole number from 1 to 500, not "1e2"'],
    [
      ["ls", "--state", "x"],
      '--state: expected one of open, settled, delivered, verified, mismatched, closed, active, done, all, not "x"',
    ],
    [["log", "-n", "x"], '-n: expected a whole number from 1 to 1000, not "x"'],
    [["log", "a", "b"], "At most one id: parley log [id]"],
    [["prune", "--days", ""], '--days: expected a whole number from 0 to 36500, not ""'],
    [["show", ""], "Give one id: parley show <id>"],
    [["show"], "Give one id: parley show <id>"],
    [["show", "a", "b"], "Give one id: parley show <id>"],
    [["answer"], "Which one? parley answer <id> <number>; see: parley ls"],
    [["answer", "x", "-m"], "Option '-m, --message <value>' argument missing. See: parley answer --help"],
    [
      ["answer", "x", "-m", "-1 is fine"],
      "Option '-m' argument is ambiguous; a value that begins with a dash: --message=-…. See: parley answer --help",
    ],
    [["decision", "take"], 'There is no "decision take". See: parley decision --help'],
  ])("[X4] %j is refused with what to do instead", async (args, words) => {
    expect(await failed(args)).toEqual({ code: 2, out: "", err: `✗ ${words}\n` });
  });

  test("[X5] with --json an error is one JSON object on stderr", async () => {
    const { code, out, err } = await failed(["show", "nope", "--json"]);
    expect([code, out]).toEqual([3, ""]);
    expect(JSON.parse(err)).toEqual({
      error: { code: "not_found", message: 'No question "nope". See: parley ls --all', problems: [], details: {} },
    });
    expect(linesOf(err)).toHaveLength(1);
    for (const args of [
      ["lss"],
      ["--json", "ls"],
      ["ls", "--bogus"],
      ["setup", "nobody"],
      ["serve", "x"],
      ["answer"],
    ]) {
      const wrong = await failed([...args, "--json"]);
      expect([wrong.code, wrong.out]).toEqual([2, ""]);
      expect(JSON.parse(wrong.err).error).toMatchObject({ code: "usage", message: expect.any(String) });
    }
  });
});

describe("ids", () => {
  test("[X6] a beginning of an id is enough as long as it is unique", async () => {
    const ids = new Set<string>();
    // 31 letters, so that two of 32 begin alike.
    for (let i = 0; i < 32; i++) ids.add((await create(program)).id);
    const [first = ""] = ids;
    const twin = [...ids].find((id, _, all) => all.some((other) => other !== id && other[0] === id[0])) ?? "";
    expect((await parsed("show", first.slice(0, 8)))["id"]).toBe(first);
    expect((await parsed("decision", "show", first.toUpperCase()))["id"]).toBe(first);
    const same = [...ids].filter((id) => id[0] === twin[0]).toSorted();
    expect(await failed(["show", twin.slice(0, 1)])).toEqual({
      code: 3,
      out: "",
      err: `✗ "${twin[0]}" matches several questions: ${same.join(", ")}\n`,
    });
    for (const command of ["answer", "log"])
      expect(await failed([command, twin.slice(0, 1)])).toMatchObject({ code: 3, out: "" });
  });

  test.each(["..", ".", "/", "zzzzzzzzzzzzzzzz", "../../status", "%2e%2e", "a b", "?state=all", "\u001b]0;x\u0007"])(
    "[X7] what is no id is not found: %j",
    async (id) => {
      for (const command of ["show", "answer"]) {
        const { code, out, err } = await failed([command, id]);
        expect([code, out]).toEqual([3, ""]);
        expect(err).toMatch(/^✗ No question "[^\u0000-\u001f]*". See: parley ls --all\n$/);
      }
    },
  );
});

describe("--json", () => {
  test("[X8] every command that succeeds prints one JSON object", async () => {
    const ask = await create(program, undefined, { project: "shapes" });
    expect(await parsed("status")).toMatchObject({ running: true, pid: expect.any(Number), asks: expect.any(Object) });
    expect(await parsed("up")).toMatchObject({ started: false, url: program.url(), home: program.home });
    expect(await parsed("serve")).toEqual({ already: true, home: program.home });
    expect(await parsed("ls", "--project", "shapes")).toMatchObject({ asks: [{ id: ask.id, state: "open" }] });
    expect(await parsed("show", ask.id)).toMatchObject({ id: ask.id, events: [{ type: "ask.captured" }] });
    expect(await parsed("setup", "claude-code", "--print")).toMatchObject({ changed: true, applied: false });
    const { taken } = await listen(program, ask);
    const answered = await parsed("answer", ask.id, "1");
    expect(answered).toMatchObject({ id: ask.id, state: "verified", result: answered["sentence"] });
    expect(String(answered["result"])).toStartWith('✓ script received "SQLite" (');
    await taken;
    expect(await parsed("prune", "--days", "1")).toEqual({ removed: 0 });
    expect(await parsed("decision", "list", "--project", "shapes")).toEqual({ asks: [] });
    const log = await program.parley(["log", ask.id, "--json"]);
    const types = linesOf(log.out).map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(["ask.captured", "ask.settled", "ask.sent", "ask.verified"]);
  });
});

describe("the daemon", () => {
  test("[X9] a daemon that does not answer is told from one that is not there", async () => {
    const { pid } = program.registration().process;
    process.kill(pid, "SIGSTOP");
    try {
      const words = `Parley is not responding (pid ${pid}). Stop it: parley down --force\n`;
      expect(await program.parley(["status"])).toEqual({ code: 69, out: words, err: "" });
      const { code, out } = await program.parley(["status", "--json"]);
      expect([code, JSON.parse(out)]).toEqual([69, { running: false, reason: "not responding", home: program.home }]);
      const err = "✗ The daemon is not responding. Stop it: parley down --force\n";
      for (const ran of await Promise.all([["ls"], ["log"], ["answer", "x", "1"]].map((args) => program.parley(args))))
        expect(ran).toEqual({ code: 69, out: "", err });
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test("[X10] stopped on purpose, every command says what to do", async () => {
    const { id } = await create(program);
    expect(await parsed("down")).toEqual({ stopped: true });
    const words = "Parley was stopped with `parley down`. Start it: parley up";
    const commands = [["ls"], ["show", id], ["answer", id, "1"], ["log"], ["prune"], ["decision", "list"]];
    for (const args of commands) {
      expect(await failed(args)).toEqual({ code: 69, out: "", err: `✗ ${words}\n` });
      const { code, err } = await failed([...args, "--json"]);
      expect([code, JSON.parse(err).error]).toMatchObject([69, { code: "daemon_stopped", message: words }]);
    }
    const status = await program.parley(["status", "--json"]);
    expect([status.code, JSON.parse(status.out)]).toEqual([
      3,
      { running: false, reason: "stopped on purpose", home: program.home },
    ]);
    expect(await parsed("up")).toMatchObject({ started: true });
    expect((await parsed("show", id))["state"]).toBe("open");
  });

  test("[X11] up says where it is and what to do next", async () => {
    const { out } = await program.parley(["up"]);
    const { pid } = program.registration().process;
    expect(linesOf(out).slice(0, 6)).toEqual([
      `Parley is already running (pid ${pid}) at ${program.url()}`,
      `State: ${program.home}`,
      "After a reboot: the first parley command or agent's hook starts it again",
      `Command: ${program.paths.program}`,
      `         link it: mkdir -p ~/.local/bin && ln -s ${program.paths.program} ~/.local/bin/parley`,
      "",
    ]);
    expect(linesOf(out)[6]).toStartWith("Next: parley ");
  });

  test("[X12] serve says as JSON where it runs", async () => {
    await program.parley(["down"]);
    const child = program.spawn(["serve", "--json"]);
    const { value } = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
    expect(JSON.parse(value ?? "")).toEqual({ url: program.url(), home: program.home, pid: child.pid });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});
