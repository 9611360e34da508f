import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recording } from "../../test/recorded.ts";
import { database } from "../../test/sample.ts";
import { record } from "./claude-code/record.ts";

const MIB = 1024 * 1024;
let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-transcript-"));
  path = join(dir, "session.jsonl");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const input = {
  questions: [{ question: database.text, header: "Choice", options: database.options, multiSelect: false }],
};
const asked = (key: string, timestamp = "2026-01-01T00:00:00.000Z") => {
  const block = { type: "tool_use", id: key, name: "AskUserQuestion", input };
  return JSON.stringify({ type: "assistant", timestamp, message: { content: [block] } });
};
/** `filler` makes the line as long as it needs to be. */
const answered = (key: string, label: string, filler = "") => {
  const content = `Your questions have been answered: "${database.text}"="${label}".`;
  const message = { content: [{ type: "tool_result", tool_use_id: key, content }] };
  return JSON.stringify({ filler, type: "user", message, toolUseResult: { answers: { [database.text]: label } } });
};
const said = (text: string) => JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } });
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const open = () => record.open(path);
const labels = (transcript: ReturnType<typeof open>, key: string) => {
  const received = transcript.received(key, [database]);
  return received?.type === "answers" ? received.choices[0]?.labels : received;
};

describe("reading as it grows", () => {
  test("[TR1] a missing file is an empty one, until it is there", async () => {
    const transcript = open();
    await transcript.refresh();
    expect(transcript.received("k1", [database])).toBeUndefined();
    writeFileSync(path, lines(asked("k1"), answered("k1", "SQLite")));
    await transcript.refresh();
    expect(labels(transcript, "k1")).toEqual(["SQLite"]);
  });

  test("[TR2] an unfinished last line is read when it is finished, wherever it was cut", async () => {
    const whole = Buffer.from(lines(asked("k1"), answered("k1", "SQLite", "é€😀")));
    for (const cut of [1, whole.indexOf("€") + 1, whole.indexOf("😀") + 2, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, cut));
      const transcript = open();
      await transcript.refresh();
      expect(transcript.received("k1", [database])).toBeUndefined();
      appendFileSync(path, whole.subarray(cut));
      await transcript.refresh();
      expect(labels(transcript, "k1")).toEqual(["SQLite"]);
    }
  });

  test.each([-3, -2, -1, 0, 1])(
    "[TR3] a line and a character may lie across the end of a chunk (%d)",
    async (shift) => {
      const start = lines(asked("k1"));
      const label = "Postgres";
      const before = '{"filler":"';
      const fill = MIB - start.length - before.length - 3 + shift;
      writeFileSync(
        path,
        start + lines(answered("k1", label, `${"x".repeat(fill)}😀`), asked("k2"), answered("k2", "SQLite")),
      );
      const transcript = open();
      await transcript.refresh();
      expect(labels(transcript, "k1")).toEqual([label]);
      expect(labels(transcript, "k2")).toEqual(["SQLite"]);
    },
  );

  test("[TR3] a chunk may end exactly at the end of a line", async () => {
    const start = lines(asked("k1"));
    const empty = lines(answered("k1", "SQLite"));
    const filler = "x".repeat(MIB - start.length - empty.length);
    writeFileSync(path, start + lines(answered("k1", "SQLite", filler), asked("k2"), answered("k2", "Postgres")));
    const transcript = open();
    await transcript.refresh();
    expect([labels(transcript, "k1"), labels(transcript, "k2")]).toEqual([["SQLite"], ["Postgres"]]);
  });

  test("[TR4] a line of several chunks is read; one too long to be one is passed over and hides nothing after it", async () => {
    writeFileSync(path, lines(asked("k1"), answered("k1", "SQLite", "x".repeat(5 * MIB))));
    appendFileSync(path, lines(asked("k2"), answered("k2", "SQLite", "x".repeat(18 * MIB))));
    appendFileSync(path, lines(asked("k3"), answered("k3", "Postgres")));
    const transcript = open();
    await transcript.refresh();
    expect(labels(transcript, "k1")).toEqual(["SQLite"]);
    expect(transcript.received("k2", [database])).toBeUndefined();
    expect(labels(transcript, "k3")).toEqual(["Postgres"]);
  });

  test("[TR5] a file that became shorter, or is another one, is read from its start", async () => {
    writeFileSync(path, lines(said("x".repeat(5000)), asked("k1")));
    const transcript = open();
    await transcript.refresh();
    writeFileSync(path, lines(asked("k2"), answered("k2", "SQLite")));
    await transcript.refresh();
    expect(labels(transcript, "k2")).toEqual(["SQLite"]);
    writeFileSync(join(dir, "next"), lines(asked("k3"), answered("k3", "Postgres"), said("x".repeat(9000))));
    renameSync(join(dir, "next"), path);
    await transcript.refresh();
    expect(labels(transcript, "k3")).toEqual(["Postgres"]);
  });

  test("[TR6] lines nobody knows and broken lines are passed over", async () => {
    const odd = ["", "{", "null", "AskUserQuestion tool_result", '{"type":"mode","x":"AskUserQuestion"}', "\0\xff"];
    writeFileSync(path, lines(...odd, asked("k1"), ...odd, answered("k1", "SQLite"), ...odd));
    const transcript = open();
    await transcript.refresh();
    expect(labels(transcript, "k1")).toEqual(["SQLite"]);
  });

  test("[TR7] refreshing several times at once reads everything once", async () => {
    const whole = lines(asked("k1"), answered("k1", "SQLite"));
    writeFileSync(path, whole.slice(0, 10));
    const transcript = open();
    await Promise.all([transcript.refresh(), transcript.refresh(), transcript.refresh()]);
    appendFileSync(path, whole.slice(10));
    await Promise.all([transcript.refresh(), transcript.refresh()]);
    expect(labels(transcript, "k1")).toEqual(["SQLite"]);
  });

  test("[TR8] a directory or a pipe in its place is an empty transcript, and not waited for", async () => {
    Bun.spawnSync(["mkfifo", path]);
    for (const place of [dir, path]) {
      const transcript = record.open(place);
      await transcript.refresh();
      expect(transcript.received("k1", [database])).toBeUndefined();
      expect(await record.versionOf(place)).toBeUndefined();
    }
  });
});

describe("what it says", () => {
  test("[TR9] calls that asked exactly these questions since a time, oldest first", async () => {
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    writeFileSync(path, lines(asked("k1", at(1)), asked("k2", at(2)), asked("k3", at(3))));
    const transcript = open();
    await transcript.refresh();
    expect(transcript.keysOf([database], Date.parse(at(2)))).toEqual(["k2", "k3"]);
    expect(transcript.keysOf([{ ...database, header: "Other" }], 0)).toEqual([]);
  });

  test("[TR13] an equal call that was over when the Ask was made is not the one that asks", async () => {
    const before = lines(asked("k1"), answered("k1", "SQLite"), asked("k2"));
    writeFileSync(path, before);
    const transcript = record.open(path, { tools: true, from: Buffer.byteLength(before) });
    await transcript.refresh();
    expect(transcript.keysOf([database], 0)).toEqual(["k2"]);
    appendFileSync(path, lines(answered("k2", "SQLite")));
    await transcript.refresh();
    expect(transcript.keysOf([database], 0)).toEqual(["k2"]);
  });

  test("[TR10] a mark counts only in a context the agent was given", async () => {
    const mark = "[parley abc123]";
    writeFileSync(path, lines(said(mark), JSON.stringify({ type: "user", message: { content: mark } })));
    const transcript = open();
    await transcript.refresh();
    expect(transcript.mentions(mark)).toBe(false);
    const attachment = { type: "hook_additional_context", content: [`- ${mark} Which?`] };
    appendFileSync(path, lines(JSON.stringify({ type: "attachment", attachment })));
    await transcript.refresh();
    expect(transcript.mentions(mark)).toBe(true);
    expect(transcript.mentions("[parley other]")).toBe(false);
  });

  test("[TR11] the version is the one said last", async () => {
    const version = (v: string) => JSON.stringify({ type: "user", version: v, message: { content: "x" } });
    writeFileSync(path, lines(version("2.1.197"), version("2.1.325"), said("x".repeat(300 * 1024)), said("y")));
    expect(await record.versionOf(path)).toBeUndefined();
    writeFileSync(path, lines(version("2.1.197"), version("2.1.325"), said("y"), '{"version":5}'));
    expect(await record.versionOf(path)).toBe("2.1.325");
    expect(await record.versionOf(join(dir, "missing"))).toBeUndefined();
    for (const v of ["2.1.197", "2.1.325"]) {
      writeFileSync(path, lines(...recording(v, "single-select").lines));
      expect(await record.versionOf(path)).toBe(v);
    }
  });

  test("[TR12] what the agent said before a call, without splitting a character, and nothing that came after", async () => {
    writeFileSync(path, lines(said("old"), said("Let me ask."), asked("k1"), said("later"), asked("k2")));
    const said1 = await record.before(path, "k1");
    expect(said1).toEqual({ lastText: "Let me ask.", position: lines(said("old"), said("Let me ask.")).length });
    expect((await record.before(path, "k2"))?.lastText).toBe("later");
    expect(await record.before(path, "k3")).toBeUndefined();
    writeFileSync(path, lines(asked("k1")));
    expect(await record.before(path, "k1")).toEqual({ lastText: "", position: 0 });
    writeFileSync(path, lines(said("€".repeat(2000)), asked("k1")));
    expect((await record.before(path, "k1"))?.lastText).toBe("€".repeat(1333));
  });
});
