import { afterAll, expect, test } from "bun:test";
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headless } from "../../agents/claude-code/headless.ts";
import { readTaskLog, tailTaskLog } from "./pretty-log.ts";
import { type RunFolder, runFolder } from "./run-folder.ts";
import { createTimes, noteTime } from "./stream-times.ts";

const root = mkdtempSync(join(tmpdir(), "parley-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const said = (text: string) =>
  `${JSON.stringify({ type: "assistant", message: { id: "m", content: [{ type: "text", text }] } })}\n`;
let made = 0;

/** A task whose runs printed this. */
function task(...streams: string[]) {
  const home = join(root, String((made += 1)));
  const folder = (run: number): RunFolder => runFolder(join(home, String(run)));
  streams.forEach((stream, i) => {
    mkdirSync(folder(i + 1).path, { recursive: true });
    writeFileSync(folder(i + 1).supervisor, "{}");
    writeFileSync(folder(i + 1).stream, stream);
  });
  let read = 0;
  const readStream = (line: string) => ((read += 1), headless.readStream(line));
  return { source: { prompt: "Do it", runs: streams.length, folder, readStream }, folder, linesRead: () => read };
}
const texts = ({ entries }: { entries: { text: string }[] }) => entries.map(({ text }) => text);

test("[TC29] a page of a long log, and its tail, cost no more than what they hold", () => {
  const many = Array.from({ length: 20_000 }, (_, i) => said(`${i} ${"x".repeat(200)}`)).join("");
  const { source, linesRead } = task(many);
  const first = readTaskLog(source, { after: 0, limit: 10 });
  expect([first.entries.length, first.more]).toEqual([10, true]);
  expect(linesRead()).toBeLessThan(15);
  const second = readTaskLog(source, { after: first.next, limit: 10 });
  expect(texts(second)[0]).toStartWith("9 ");
  const before = linesRead();
  expect(texts(tailTaskLog(source, 3)).map((text) => text.split(" ")[0])).toEqual(["19997", "19998", "19999"]);
  expect(linesRead() - before).toBeLessThan(2000);
});

test("[TC30] what is half written comes with the next page; noise says nothing", () => {
  const half = said("three");
  const { source, folder } = task(`${said("one")}noise\n{"type":"new"}\n\n${said("two")}${half.slice(0, 20)}`);
  const { next, ...page } = readTaskLog(source, { after: 0, limit: 100 });
  expect(texts(page)).toEqual(["Do it", "one", "two"]);
  appendFileSync(folder(1).stream, half.slice(20));
  expect(texts(readTaskLog(source, { after: next, limit: 100 }))).toEqual(["three"]);
});

test("[TC30] a run that has printed nothing yet has been started", () => {
  const { source, folder } = task("");
  rmSync(folder(1).stream);
  expect(texts(readTaskLog(source, { after: 0, limit: 100 }))).toEqual(["Do it"]);
  expect(texts(tailTaskLog(source, 10))).toEqual(["Do it"]);
});

test("[TC31] several things in one line are several entries that stay together", () => {
  const content = ["a", "b", "c"].map((text) => ({ type: "text", text }));
  const { source } = task(`${JSON.stringify({ type: "assistant", message: { id: "m", content } })}\n${said("d")}`);
  const page = readTaskLog(source, { after: 0, limit: 2 });
  expect(texts(page)).toEqual(["Do it", "a", "b", "c"]);
  expect(new Set(page.entries.map(({ n }) => n)).size).toBe(4);
  expect(texts(readTaskLog(source, { after: page.next, limit: 2 }))).toEqual(["d"]);
});

test("[TC32] a run that did not end by itself says how it ended, once", () => {
  const { source, folder } = task(said("one"), said("two"));
  writeFileSync(folder(1).exit, JSON.stringify({ code: null, signal: "SIGKILL" }));
  writeFileSync(folder(2).exit, JSON.stringify({ code: 3, signal: null }));
  const page = readTaskLog(source, { after: 0, limit: 100 });
  expect(texts(page)).toEqual([
    "Do it",
    "one",
    "the agent's process was ended by SIGKILL",
    "Do it",
    "two",
    "the agent's process ended with exit code 3",
  ]);
  expect(texts(readTaskLog(source, { after: page.next, limit: 100 }))).toEqual([]);
});

test("[TC33] an entry has the time at which it was printed", async () => {
  const { source, folder } = task(said("one") + said("two") + said("three"));
  const size = statSync(folder(1).stream).size;
  const file = openSync(folder(1).times, "a");
  // The first two came together.
  await noteTime(file, said("one").length + said("two").length, 1_000_001);
  await noteTime(file, size, 1_000_002);
  closeSync(file);
  const { entries } = readTaskLog(source, { after: 0, limit: 100 });
  expect(entries.slice(1).map(({ at }) => at)).toEqual([1_000_001, 1_000_001, 1_000_002]);
  using none = createTimes(join(root, "nothing"));
  expect(none.at(1)).toBeUndefined();
});
