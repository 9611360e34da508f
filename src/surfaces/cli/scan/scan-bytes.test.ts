import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import * as fc from "fast-check";
import { LINE_FORMATS } from "../../../agents/line-formats.ts";
import { needleOf } from "../../../agents/needles.ts";
import { createScan, type ScannedAsk } from "../../../agents/scan.ts";
import { scanBytes } from "./scan-bytes.ts";

const agents = join(import.meta.dir, "../../../agents");
const RECORDS = ["**/fixtures/**/*.jsonl", "**/fixtures/**/*.ndjson"]
  .flatMap((pattern) => [...new Glob(pattern).scanSync(agents)])
  .toSorted()
  .map((name) => readFileSync(join(agents, name)));
const LINES = RECORDS.flatMap((record) => record.toString("utf8").split("\n")).filter(Boolean);
const ABOUT_QUESTIONS = LINES.filter((line) => /AskUserQuestion|request_user_input|ask_user|parley-dialog/.test(line));

async function scan(bytes: Buffer, size: number): Promise<ScannedAsk[]> {
  const found: ScannedAsk[] = [];
  async function* chunks() {
    // As a reader does that has one buffer: what was handed over before is overwritten.
    const buffer = Buffer.alloc(size);
    for (let at = 0; at < bytes.length; at += size) {
      const length = bytes.copy(buffer, 0, at, at + size);
      yield buffer.subarray(0, length);
    }
  }
  expect(await scanBytes(chunks, (ask) => found.push(ask))).toBe(0);
  return found;
}

/** Every line is parsed, by every format; what it holds is looked for in the JSON that its agent would have written. */
async function plainly(bytes: Buffer): Promise<ScannedAsk[]> {
  const found: ScannedAsk[] = [];
  const formats = await Promise.all(LINE_FORMATS.map(({ load }) => load()));
  const scans = formats.map((format) => createScan(format, (ask) => found.push(ask)));
  for (const line of bytes.toString("utf8").split("\n")) {
    const letters = Buffer.from(rewritten(line));
    for (const each of scans) each.line(Buffer.from(line), letters);
  }
  for (const each of scans) each.end();
  return found;
}

function rewritten(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line));
  } catch {
    return line;
  }
}

const spelled = (text: string, at: number) =>
  `${text.slice(0, at)}\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}${text.slice(at + 1)}`;
/** A letter of a word that matters, as JSON may also write it. */
function spellOne(line: string, n: number): string {
  const words = [...line.matchAll(/AskUserQuestion|request_user_input|ask_user|parley-dialog|toolu_ask|call_\w+/g)];
  const word = words[n % (words.length || 1)];
  return word ? spelled(line, word.index + (n % word[0].length)) : line;
}

test("[SC20] what is found in recorded sessions is what is found by parsing every line, however the bytes are divided", async () => {
  expect(RECORDS.length).toBeGreaterThan(50);
  for (const record of [...RECORDS, Buffer.concat(RECORDS)]) {
    const expected = await plainly(record);
    for (const size of [997, 4096, 1 << 20]) expect(await scan(record, size)).toEqual(expected);
  }
});

test("[SC21] so it is in bent ones: torn, spelled in numbers, with other line ends, long lines and no last newline", async () => {
  const question = fc.constantFrom(...ABOUT_QUESTIONS);
  const any = fc.oneof(question, fc.constantFrom(...LINES));
  const line = fc.oneof(
    { weight: 4, arbitrary: any },
    fc.tuple(question, fc.nat()).map(([text, n]) => spellOne(text, n)),
    fc.tuple(any, fc.nat()).map(([text, at]) => text.slice(0, at % text.length)),
    fc.tuple(any, fc.nat()).map(([text, at]) => text.slice(at % text.length)),
    fc
      .tuple(fc.constantFrom("\\u001b[31m", "é€😀", "\\\\u0041", "x"), fc.nat(20_000))
      .map(([text, count]) => JSON.stringify({ type: "user", message: { content: text.repeat(count) } })),
    fc.constantFrom("", "\0", "{}", '{"a":"\\u0041skUserQuestion"}', '"answers":{'),
  );
  const record = fc.array(line, { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      record,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.integer({ min: 1, max: 5000 }),
      async (all, end, isWhole, size) => {
        const bytes = Buffer.from(`${all.join(end)}${isWhole ? end : ""}`);
        expect(await scan(bytes, size)).toEqual(await plainly(bytes));
      },
    ),
    { numRuns: 200 },
  );
});

test("[SC22] a mark and a key that are spelled in numbers are found", async () => {
  const text = readFileSync(join(agents, "claude-code/fixtures/2.1.325/escape/transcript.jsonl"), "utf8");
  const other = text
    .replaceAll("AskUserQuestion", "\\u0041skUser\\u0051uestion")
    .replaceAll("toolu_ask", "toolu\\u005Fask");
  expect(other).not.toContain("AskUserQuestion");
  const found = await scan(Buffer.from(other), 4096);
  expect(found).toMatchObject([{ key: "toolu_ask", outcome: { type: "declined" } }]);
  expect(found).toEqual(await scan(Buffer.from(text), 4096));
});

test("[SC23] a key that JSON writes in another way is found by what of it stays as it is", async () => {
  const text = readFileSync(join(agents, "claude-code/fixtures/2.1.325/escape/transcript.jsonl"), "utf8");
  for (const key of ['to"olu_ask', "a/b", "ключ", "\\"]) {
    const written = JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/");
    const found = await scan(Buffer.from(text.replaceAll("toolu_ask", () => written)), 4096);
    expect(found).toMatchObject([{ key, outcome: { type: "declined" } }]);
  }
  expect(needleOf("toolu_01-x").toString()).toBe("toolu_01-x");
  expect(needleOf("ключ")).toHaveLength(0);
});

test("[SC24] a line of several megabytes is read whole, and those after it are found", async () => {
  const [asking = "", ...rest] = ABOUT_QUESTIONS.filter((line) => line.includes("toolu_ask"));
  const long = `${asking.slice(0, -1)},"more":"${"é".repeat(3_000_000)}"}`;
  const bytes = Buffer.from([long, ...rest].join("\n"));
  const found = await scan(bytes, 1 << 19);
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(await plainly(bytes));
});
