import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LineFormat } from "./capability/record.ts";
import { lines } from "./claude-code/transcript.ts";
import { AGENTS } from "./agents.ts";
import { LINE_FORMATS } from "./line-formats.ts";
import { seekAny } from "./needles.ts";
import { createScan, type ScannedAsk } from "./scan.ts";

const fixture = (version: string, file: string) =>
  readFileSync(join(import.meta.dir, "claude-code/fixtures", version, file), "utf8");

function scan(text: string, format: LineFormat = lines): ScannedAsk[] {
  const found: ScannedAsk[] = [];
  const each = createScan(format, (ask) => found.push(ask));
  for (const line of text.split("\n")) each.line(Buffer.from(line));
  each.end();
  return found;
}

const ends = (text: string) => scan(text).map(({ outcome }) => [outcome?.type, outcome?.answers?.map((a) => a.picks)]);

test.each(["2.1.325", "2.1.197"])("[SC4] %s: a transcript says what was asked and what came back", (version) => {
  expect(ends(fixture(version, "single-select/transcript.jsonl"))).toEqual([["answered-elsewhere", [[1]]]]);
  expect(ends(fixture(version, "multi-select/transcript.jsonl"))).toEqual([["answered-elsewhere", [[0, 2]]]]);
  expect(ends(fixture(version, "escape/transcript.jsonl"))).toEqual([["declined", undefined]]);
  expect(ends(fixture(version, "chat/transcript.jsonl"))).toEqual([["chat", undefined]]);
  expect(ends(fixture(version, "two-in-one-message/transcript.jsonl"))).toHaveLength(2);
  expect(ends(fixture(version, "terminal-closed/transcript.jsonl"))).toEqual([[undefined, undefined]]);
});

test.each(["2.1.325", "2.1.197"])("[SC5] %s: so does what a headless run printed", (version) => {
  const answered = scan(fixture(version, "headless-stdio-answered/stream.ndjson"));
  expect(answered).toMatchObject([
    {
      questions: [{ header: "Database" }, { header: "Features", multiSelect: true }],
      outcome: { type: "answered-elsewhere", answers: [{ picks: [1] }, { picks: [1] }] },
    },
  ]);
  expect(answered[0]?.text).toContain('"Which database should we use?"="SQLite"');
  expect(scan(fixture(version, "headless-stdio-permission-bash/stream.ndjson"))).toEqual([]);
});

test("[SC6] a deferred question has no answer; the resumed run holds it, with and without the first part", () => {
  const first = fixture("2.1.325", "headless-deferred/stream.ndjson");
  const second = fixture("2.1.325", "headless-deferred-resumed/stream.ndjson");
  expect(ends(first)).toEqual([[undefined, undefined]]);
  expect(ends(first + second)).toEqual([["answered-elsewhere", [[1]]]]);
  expect(ends(second)).toEqual([["answered-elsewhere", [[1]]]]);
});

test("[SC7] noise, unknown events, half lines and a repeated history change nothing", () => {
  const text = fixture("2.1.325", "single-select/transcript.jsonl");
  const noise = [
    "",
    "not json",
    "{}",
    '{"type":"AskUserQuestion"}',
    '{"type":"assistant","message":{"content":7}}',
    "\0",
  ];
  const torn = text.split("\n").flatMap((line) => [...noise, line]);
  expect(ends(torn.join("\n"))).toEqual([["answered-elsewhere", [[1]]]]);
  expect(ends(text + text)).toEqual([["answered-elsewhere", [[1]]]]);
  const call = text.split("\n").findIndex((line) => line.includes('"tool_use"') && line.includes("AskUserQuestion"));
  const upToCall = text.split("\n").slice(0, call + 1);
  expect(ends(`${upToCall.join("\n")}\n{"type":"user","message":{"content":[{"type":"tool_res`)).toEqual([
    [undefined, undefined],
  ]);
});

test("[SC8] only lines that can matter are parsed", () => {
  let parsed = 0;
  const counting: LineFormat = { ...lines, read: (line) => ((parsed += 1), lines.read(line)) };
  const other = JSON.stringify({ type: "user", message: { content: [{ type: "tool_result", content: "x" }] } });
  const text = fixture("2.1.325", "single-select/transcript.jsonl");
  expect(scan(`${other}\n`.repeat(1000) + text, counting)).toHaveLength(1);
  expect(parsed).toBeLessThan(20);
});

test("[LZ7] the formats that are loaded without their agents are those of all agents, with the same marks", async () => {
  const all = AGENTS.flatMap(({ record }) => record?.lines ?? []);
  const loaded = await Promise.all(LINE_FORMATS.map(({ load }) => load()));
  expect(loaded.map(({ marks }) => marks)).toEqual(all.map(({ marks }) => marks));
  expect(LINE_FORMATS.map(({ question }) => question)).toEqual(all.map(({ marks }) => marks.question));
});

test("[LZ8] the next needle is found from every place, also one that comes later and one without letters", () => {
  const bytes = Buffer.from("one two one\nthree two\n");
  const needles = ["two", "one"].map((text) => Buffer.from(text));
  const next = seekAny(bytes, () => needles);
  expect([0, 1, 5, 12].map((from) => next(from))).toEqual([0, 4, 8, 18]);
  needles.push(Buffer.from("three"));
  expect([next(12), next(13), next(19)]).toEqual([12, 18, -1]);
  needles.push(Buffer.from(""));
  expect([next(20), next(bytes.length)]).toEqual([20, bytes.length]);
});
