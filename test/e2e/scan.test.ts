import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND, createProgram } from "./program.ts";

const program = createProgram();
const root = mkdtempSync(join(tmpdir(), "parley-"));
afterAll(async () => {
  rmSync(root, { recursive: true, force: true });
  await program.dispose();
});

const fixture = (name: string, file = "transcript.jsonl") =>
  join(import.meta.dir, "../../src/agents/claude-code/fixtures/2.1.325", name, file);
const scan = (args: string[], stdin?: string) =>
  program.parley(["scan", ...args], { env: { TZ: "UTC" }, ...(stdin !== undefined && { stdin }) });

test("[TC34] scan prints each question with how it was answered, and needs no daemon", async () => {
  const { code, out, err } = await scan([fixture("four-questions")]);
  expect([code, err]).toEqual([0, "4 questions, all ended.\n"]);
  expect(out).toBe(
    [
      "2026-11-15 10:57:34  ? [Approach] Which approach should we use?",
      "                       → Option C",
      "                     ? [Features] Which features do you want?",
      "                       → Search",
      "                     ? [Database] Which database?",
      "                       → DuckDB",
      "                     ? [Greetings] Which greetings do you want?",
      "                       → A, B",
      "",
    ].join("\n"),
  );
  expect(() => program.registration()).toThrow("no daemon was ever started");
});

test("[TC35] several files and folders are named; one that cannot be read does not hide the others", async () => {
  mkdirSync(join(root, "folder/deep"), { recursive: true });
  copyFileSync(fixture("chat"), join(root, "folder/a.jsonl"));
  copyFileSync(fixture("headless-deferred", "stream.ndjson"), join(root, "folder/deep/b.ndjson"));
  writeFileSync(join(root, "folder/notes.txt"), readFileSync(fixture("chat")));
  const { code, out, err } = await scan([join(root, "folder"), join(root, "missing")]);
  expect(code).toBe(1);
  expect(out).toBe(
    [
      `${root}/folder/a.jsonl`,
      "2026-11-15 10:57:57  ? [Approach] Which approach should we use?",
      "                       → chat about this",
      "",
      `${root}/folder/deep/b.ndjson`,
      "2026-11-15 09:01:46  ? [Approach] Which approach should we use?",
      "                       → no answer in this record",
      "",
    ].join("\n"),
  );
  expect(err).toBe(`✗ There is no file ${root}/missing\n2 questions in 3 files, 1 without an answer.\n`);
});

test("[TC36] standard input is read as it comes: an answer is printed before the stream ends", async () => {
  const [asking = "", ...rest] = readFileSync(fixture("single-select"), "utf8").split(/(?<=\n)/);
  const child = Bun.spawn([...COMMAND, "scan", "-", "--json"], { stdio: ["pipe", "pipe", "ignore"] });
  void child.stdin.write([asking, ...rest].join(""));
  void child.stdin.flush();
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += Buffer.from(chunk).toString();
    if (printed.includes("\n")) break;
  }
  expect(JSON.parse(printed)).toMatchObject({ file: "-", tool_use_id: "toolu_ask", answers: [{ picks: [1] }] });
  void child.stdin.end();
  expect(await child.exited).toBe(0);
});

test("[TC37] --open has only what nobody answered; nothing found is exit code 3", async () => {
  const both = [fixture("chat"), fixture("headless-deferred", "stream.ndjson")];
  expect((await scan(["--open", ...both, "--json"])).out.trim().split("\n")).toHaveLength(1);
  const noise = await scan(["-"], '{"type":"user"}\nnot json\n{"half":');
  expect([noise.code, noise.out, noise.err]).toEqual([3, "", "No question was found.\n"]);
  const empty = join(root, "empty");
  mkdirSync(empty);
  const none = await scan([empty]);
  expect([none.code, none.err]).toEqual([3, `✗ ${empty} holds no .jsonl and no .ndjson\n`]);
});

test("[SC31] a record long enough for a second thread says the same as one that comes through a pipe", async () => {
  const [path, MB] = [join(root, "long.jsonl"), 1024 * 1024];
  const other = `${JSON.stringify({ type: "user", message: { content: "x".repeat(MB - 100) } })}\n`.repeat(6);
  const parts = ["four-questions", "chat", "four-questions", "chat", "four-questions"].map((name, i) =>
    readFileSync(fixture(name), "utf8").replaceAll("toolu_", `toolu_${i}`),
  );
  const text = `${other}${parts.join(other)}${other}`;
  writeFileSync(path, text);
  const [here, piped] = [await scan([path]), await scan(["-"], text)];
  expect([here.code, here.err]).toEqual([0, "14 questions, all ended.\n"]);
  expect(here.out).toBe(piped.out);
});
