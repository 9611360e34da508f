import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { record } from "../../src/agents/claude-code/record.ts";
import { lines as format } from "../../src/agents/claude-code/transcript.ts";
import { questionsOf } from "../../src/agents/claude-code/question-input.ts";
import { APPROACH, ask } from "../e2e/cli-asker.ts";
import { holds } from "../e2e/program.ts";
import { payloadsOf, recording } from "../recorded.ts";
import { TEXTS } from "./corpus.ts";
import { PATIENCE_MS, runs } from "./fuzz.ts";
import { createTarget } from "./target.ts";

const MIB = 1024 * 1024;
const real = recording("2.1.325", "single-select");
const [asked] = payloadsOf(real, "PreToolUse");
const key = String(asked?.["tool_use_id"]);
const questions = questionsOf(asked?.["tool_input"]) ?? [];
const whole = `${real.lines.join("\n")}\n`;

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-transcript-"));
  path = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const received = async (file = path) => {
  const transcript = record.open(file);
  await transcript.refresh();
  return transcript.received(key, questions)?.type;
};

test(
  "[HO30] a record that is cut, rotated, replaced, emptied or overwritten while it is followed is read on without an error",
  async () => {
    const junk = fc.oneof(
      fc.constantFrom<string | Uint8Array>(
        ...TEXTS,
        "\n",
        "{",
        '{"type":"user"',
        Buffer.from([0xff, 0xc0, 0x0a]),
        Buffer.alloc(3000),
      ),
      fc.tuple(fc.constantFrom(...real.lines), fc.nat()).map(([line, at]) => line.slice(0, at % line.length)),
    );
    const step = fc.record({
      do: fc.constantFrom("append", "cut", "replace", "empty", "remove", "folder"),
      junk,
      at: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        rmSync(path, { recursive: true, force: true });
        const transcript = record.open(path);
        for (const { do: what, junk: bytes, at } of steps) {
          if (what === "append") attempt(() => appendFileSync(path, bytes));
          if (what === "cut") attempt(() => truncateSync(path, at % 4000));
          if (what === "replace") attempt(() => (writeFileSync(`${path}.new`, bytes), renameSync(`${path}.new`, path)));
          if (what === "empty") attempt(() => truncateSync(path, 0));
          if (what === "remove") rmSync(path, { recursive: true, force: true });
          await transcript.refresh();
          await record.before(path, key);
          await record.versionOf(path);
        }
        rmSync(path, { recursive: true, force: true });
        writeFileSync(`${path}.new`, whole);
        renameSync(`${path}.new`, path);
        // A file that has the old one's number and is longer cannot be told from it: a fresh look has to be right.
        expect(await received()).toBe("answers");
      }),
      runs(60),
    );
  },
  PATIENCE_MS,
);

test("[HO31] what stands behind sixteen mebibytes of one line is no line of its own", async () => {
  const lineOf = (type: "asked" | "result") =>
    real.lines.find((line) => format.read(line).some((item) => item.type === type && item.key === key)) ?? "";
  const [question, result] = [`${lineOf("asked")}\n`, `${lineOf("result")}\n`];
  // The result begins where the reader has given up on its line.
  const filler = Buffer.alloc(17 * MIB - Buffer.byteLength(question), "x");
  writeFileSync(path, Buffer.concat([Buffer.from(question), filler, Buffer.from(result)]));
  expect(await received()).toBeUndefined();
  appendFileSync(path, result);
  expect(await received()).toBe("answers");
});

test(
  "[HO32] of a file larger than any record only the end is read",
  async () => {
    writeFileSync(path, "");
    truncateSync(path, 1024 ** 4);
    appendFileSync(path, `\n${whole}`);
    expect(await received()).toBe("answers");
  },
  PATIENCE_MS,
);

test(
  "[HO33] a line of 64 MiB beside a question costs neither the receipt nor the daemon's memory",
  async () => {
    await using target = await createTarget();
    const { program } = target;
    const held = await ask(program, [APPROACH]);
    const transcript = join(program.user, ".claude/projects/project", `${held.session}.jsonl`);
    const noise = `{"type":"user","message":{"content":"tool_result AskUserQuestion ${"x".repeat(64 * MIB)}"}}\n`;
    appendFileSync(transcript, noise);
    await program.client().call("settleAsk", { id: held.id, body: { action: "answer", answers: [{ picks: [1] }] } });
    await held.takes();
    const isVerified = await holds(
      async () => (await program.client().call("getAsk", { id: held.id })).state === "verified",
    );
    expect(isVerified).toBe(true);
    await target.stands();
  },
  PATIENCE_MS,
);

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // There is nothing to change yet.
  }
}
