import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../src/machine/log.ts";
import { rotatedFiles } from "../../src/machine/file/rotating-file.ts";
import { question } from "./api-request.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { eventually } from "../patience.ts";

type Line = { time: string; level: string; message: string; [field: string]: unknown };
let program: Program;
beforeEach(() => {
  program = createProgram();
});
afterEach(() => program.dispose());

const written = () =>
  rotatedFiles(program.paths.log)
    .map((file) => readFileSync(file, "utf8"))
    .join("");
const lines = () =>
  written()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const ask = (text: string) =>
  program.client().call("createAsk", { body: { questions: [question("Store", { question: text })] } });

/** A log as an earlier daemon may have left it. */
function leave(text: string): void {
  mkdirSync(program.home, { mode: 0o700 });
  writeFileSync(program.paths.log, text, { mode: 0o600 });
}

test("[OP3] every line is one JSON object with time, level and message, in files for the owner only", async () => {
  await program.start();
  await program.terminate();
  await program.start();
  await eventually(() => expect(lines().map(({ message }) => message)).toEqual(["started", "stopping", "started"]));
  for (const { time, level, message } of lines()) {
    expect(new Date(time).toISOString()).toBe(time);
    expect(["debug", "info", "warn", "error"]).toContain(level);
    expect(message).not.toBe("");
  }
  expect(statSync(program.paths.log).mode & 0o777).toBe(0o600);
});

test("[OP4] a line cannot be broken or steer a terminal, whatever is told", () => {
  const told: string[] = [];
  const log = createLog(
    (line) => told.push(line),
    () => 0,
  );
  log("warn", "a\nb\u001b[31m\u202e\u009b", { error: `x\u0085\u2028${"y".repeat(5000)}`, n: 1 });
  const [line = ""] = told;
  expect(line).toMatch(/^[\x20-\x7e…]+\n$/);
  const read = JSON.parse(line) as Line;
  expect(read).toMatchObject({ time: "1970-01-01T00:00:00.000Z", level: "warn", n: 1 });
  expect(read.message).toBe("a\nb\u001b[31m\u202e\u009b");
  expect(String(read["error"]).length).toBeLessThan(600);
});

test("[OP5] how much is told: log.level in the settings, PARLEY_LOG before it; words of questions never", async () => {
  await program.start({ PARLEY_LOG: "debug" });
  await ask("Shall the whale swim?");
  const told = new Set(["started", "request", "event"]);
  await eventually(() => expect(new Set(lines().map(({ message }) => message))).toEqual(told));
  expect(written()).not.toContain("whale");
  await program.terminate();
  rmSync(program.paths.log);

  const config = join(program.user, ".config/parley/config.toml");
  mkdirSync(join(config, ".."), { recursive: true });
  writeFileSync(config, '[log]\nlevel = "warn"\n');
  await program.start({ PARLEY_LOG: "" });
  await ask("Shall the whale swim again?");
  await program.terminate();
  expect(written()).toBe("");

  await program.start({ PARLEY_LOG: "loud" });
  await eventually(() => expect(lines().map(({ level, found }) => [level, found])).toEqual([["warn", "loud"]]));
  expect(written()).not.toContain("whale");
});

test("[OP6] the daemon goes on in a new file when its log is full", async () => {
  const old = `${JSON.stringify({ time: "2026-01-01T00:00:00.000Z", level: "info", message: "old" })}\n`;
  leave(old.repeat(Math.ceil((2 * 1024 * 1024) / old.length)));
  await program.start();
  const isStarted = () =>
    readFileSync(program.paths.log, "utf8")
      .split("\n")
      .map((line) => line.includes('"started"'));
  await eventually(() => expect(isStarted()).toEqual([true, false]));
  expect(rotatedFiles(program.paths.log)).toEqual([`${program.paths.log}.1`, program.paths.log]);
  expect(statSync(`${program.paths.log}.1`).mode & 0o777).toBe(0o600);
});

test("[OP7] parley logs shows the daemon's log, also while it is stopped, and starts nothing", async () => {
  expect(await program.parley(["logs"])).toEqual({ code: 0, out: "", err: "" });
  leave(
    [
      `{"time":"2026-01-01T00:00:00.000Z","level":"info","message":"started","pid":7}`,
      `{"time":"2026-01-01T00:00:01.000Z","level":"debug","message":"request","path":"/a b"}`,
      `panic: \u001b[31mcrash`,
      `{"time":"2026-01-01T00:00:02.000Z","level":"warn","message":"slow\\u001b[31m"}`,
      "half a li",
    ].join("\n"),
  );
  const env = { TZ: "UTC" };
  const shown = await program.parley(["logs"], { env });
  expect(shown).toEqual({
    code: 0,
    out: [
      "2026-01-01 00:00:00  info   started pid=7",
      `2026-01-01 00:00:01  debug  request path="/a b"`,
      "                     error  panic: crash",
      "2026-01-01 00:00:02  warn   slow",
      "",
    ].join("\n"),
    err: "",
  });
  const grave = await program.parley(["logs", "--level", "warn", "--json"]);
  expect(
    grave.out
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as Line).level),
  ).toEqual(["error", "warn"]);
  expect((await program.parley(["logs", "-n", "1"], { env })).out).toBe("2026-01-01 00:00:02  warn   slow\n");
  expect(await program.parley(["logs", "--level", "loud"])).toMatchObject({ code: 2, out: "" });
  expect((await program.parley(["status"])).code).toBe(3);
});

test("[OP8] parley logs -f shows what comes, also over a rotation", async () => {
  const filler = `${JSON.stringify({ time: "2026-01-01T00:00:00.000Z", level: "info", message: "old" })}\n`;
  leave(filler.repeat(Math.floor((2 * 1024 * 1024) / filler.length)));
  const following = program.spawn(["logs", "-f", "-n", "1", "--json"]);
  let seen = "";
  const reading = (async () => {
    for await (const part of following.stdout.pipeThrough(new TextDecoderStream())) seen += part;
  })();
  try {
    expect(await holds(() => seen.includes('"old"'))).toBe(true);
    await program.start();
    expect(await holds(() => rotatedFiles(program.paths.log).length === 2)).toBe(true);
    expect(await holds(() => seen.includes('"started"'))).toBe(true);
    await program.terminate();
    expect(await holds(() => seen.includes('"stopping"'))).toBe(true);
    expect(seen.trimEnd().split("\n")).toHaveLength(3);
  } finally {
    following.kill("SIGKILL");
    await following.exited;
    await reading;
  }
});
