import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import * as fc from "fast-check";
import type { ScannedAsk } from "../../../agents/scan.ts";
import { lookAhead, wantedBytesOf } from "./scan-ahead.ts";
import { scanBytes } from "./scan-bytes.ts";
import { bytesOf } from "./scan-files.ts";
import { createParts, shareParts } from "./scan-parts.ts";

const root = mkdtempSync(join(tmpdir(), "parley-scan-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const agents = join(import.meta.dir, "../../../agents");
const RECORDS = [...new Glob("**/fixtures/**/*.jsonl").scanSync(agents)]
  .toSorted()
  .map((name) => readFileSync(join(agents, name), "utf8"));
const LINES = RECORDS.flatMap((record) => record.split("\n")).filter(Boolean);
const ABOUT_QUESTIONS = LINES.filter((line) => /AskUserQuestion|request_user_input|ask_user|toolu_ask/.test(line));

async function alone(path: string): Promise<[ScannedAsk[], number]> {
  const found: ScannedAsk[] = [];
  return [
    found,
    await scanBytes(
      () => bytesOf(path),
      (ask) => found.push(ask),
    ),
  ];
}

/** `had`: so many parts were begun here before the other thread came to them. `late`: while both are at work. */
async function together(paths: readonly string[], part: number, had: number, late?: () => void) {
  const sizes = paths.map((path) => readFileSync(path).length);
  const shared = shareParts(sizes, part);
  const parts = createParts(shared);
  for (let i = 0; i < Math.min(had, parts.count); i++) parts.claim(i);
  for (let i = 0; i < Math.min(had, parts.count); i++) parts.finish(i);
  await lookAhead({ paths, shared });
  late?.();
  const results: [ScannedAsk[], number][] = [];
  let given = 0;
  for (const [i, path] of paths.entries()) {
    const found: ScannedAsk[] = [];
    async function* counted(needsAll: () => boolean) {
      for await (const chunk of wantedBytesOf(path, i, parts, needsAll)) {
        given += chunk.length;
        yield chunk;
      }
    }
    results.push([found, await scanBytes(counted, (ask) => found.push(ask))]);
  }
  return { results, given };
}

function write(name: string, lines: readonly string[], isWhole = true): string {
  const path = join(root, name);
  writeFileSync(path, `${lines.join("\n")}${isWhole ? "\n" : ""}`);
  return path;
}

test("[SC28] two threads find what one finds, wherever the record is divided and they meet", async () => {
  const question = fc.constantFrom(...ABOUT_QUESTIONS);
  const line = fc.oneof(
    fc.oneof(question, fc.constantFrom(...LINES)),
    fc.tuple(question, fc.nat()).map(([text, at]) => text.slice(at % text.length)),
    fc.nat(200_000).map((length) => JSON.stringify({ type: "user", message: { content: "x".repeat(length) } })),
    fc.constantFrom("", "{}", '{"a":"\\u0041skUserQuestion"}', '"answers":{'),
  );
  const record = fc.tuple(fc.array(line, { minLength: 1, maxLength: 30 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1000, max: 300_000 }),
      fc.nat(10),
      async (records, part, had) => {
        const paths = records.map(([lines, isWhole], i) => write(`record-${i}`, lines, isWhole));
        const { results } = await together(paths, part, had);
        expect(results).toEqual(await Promise.all(paths.map(alone)));
      },
    ),
    { numRuns: 100 },
  );
});

const FILLER = Array.from({ length: 400 }, (_, n) => JSON.stringify({ type: "user", n, text: "x".repeat(10_000) }));
const [ASKED = "", ANSWER = ""] = readFileSync(
  join(agents, "claude-code/fixtures/2.1.325/escape/transcript.jsonl"),
  "utf8",
)
  .split("\n")
  .filter((line) => line.includes("toolu_ask"));

test("[SC29] what holds no mark is not read twice, and all of it is while a question waits for its answer", async () => {
  const path = write("answered", [...FILLER, ASKED, ANSWER, ...FILLER]);
  const { results, given } = await together([path], 1 << 20, 0);
  expect(results[0]?.[0]).toMatchObject([{ key: "toolu_ask", outcome: { type: "declined" } }]);
  expect(given).toBeLessThan(1 << 20);

  const late = write("late", [...FILLER, ASKED, ...FILLER, ANSWER]);
  const { results: then } = await together([late], 1 << 20, 0);
  expect(then).toEqual([await alone(late)]);
  expect(then[0]?.[0]).toMatchObject([{ key: "toolu_ask", outcome: { type: "declined" } }]);
});

test("[SC30] a line of several megabytes, what was written meanwhile and a file that is gone are as for one thread", async () => {
  const long = `${ASKED.slice(0, -1)},"more":"${"x".repeat(5 << 20)}"}`;
  const path = write("long", [...FILLER, long, ...FILLER.slice(0, 100), ANSWER, ...FILLER]);
  expect((await together([path], 1 << 20, 0)).results).toEqual([await alone(path)]);

  const grows = write("grows", FILLER, false);
  const { results } = await together([grows], 1 << 20, 0, () => appendFileSync(grows, `\n${ASKED}\n${ANSWER}\n`));
  expect(results).toEqual([await alone(grows)]);
  expect(results[0]?.[0]).toHaveLength(1);

  const gone = write("gone", FILLER);
  const away = together([gone], 1 << 20, 0, () => rmSync(gone));
  expect(await away.catch((error: Error) => error.message)).toContain("There is no file");
});
