import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRotating, rotatedFiles } from "./rotating-file.ts";

const limits = { maxBytes: 100, keep: 3 };
const line = (n: number) => `line ${String(n).padStart(3, "0")}\n`;
let root = "";
let path = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-"));
  path = join(root, "x.log");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const texts = () => rotatedFiles(path).map((file) => readFileSync(file, "utf8"));

test("[OP1] a log that grows goes on in a new file, and so many older ones stay, for their owner only", () => {
  writeFileSync(path, "", { mode: 0o644 });
  // Opened anew each time, as over restarts of the daemon.
  for (let n = 0; n < 200; n++) {
    const file = openRotating(path, limits);
    file.write(line(n));
    file.close();
  }
  expect(texts()).toHaveLength(1 + limits.keep);
  for (const text of texts()) expect(text.length).toBeLessThanOrEqual(limits.maxBytes);
  const kept = texts().join("");
  const first = Number(kept.slice(5, 8));
  expect(kept).toBe(Array.from({ length: 200 - first }, (_, i) => line(first + i)).join(""));
  for (const file of rotatedFiles(path)) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("[OP2] who had the file open before it was rotated goes on in the file people look at", () => {
  const stderr = openSync(path, "a");
  const file = openRotating(path, limits);
  expect(file.isSameAs(stderr)).toBe(true);
  for (let n = 0; n < 15; n++) file.write(line(n));
  writeSync(stderr, "crash\n");
  closeSync(stderr);
  file.close();
  expect(texts().at(-1)).toEndWith("crash\n");
  expect(texts().join("")).toBe(`${Array.from({ length: 15 }, (_, n) => line(n)).join("")}crash\n`);
});

test("[OP2] a line longer than a file is whole in one", () => {
  const file = openRotating(path, limits);
  for (const text of ["a\n", `${"b".repeat(300)}\n`, "c\n"]) file.write(text);
  file.close();
  expect(texts()).toEqual(["a\n", `${"b".repeat(300)}\n`, "c\n"]);
});
