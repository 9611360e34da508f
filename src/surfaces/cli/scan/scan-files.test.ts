import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf } from "./scan-files.ts";

const root = mkdtempSync(join(tmpdir(), "parley-scan-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const PART = 1024 * 1024;
/** No two parts of it are equal. */
const bytes = (length: number, seed: number) =>
  Buffer.from(Uint32Array.from({ length: length / 4 }, (_, i) => i * seed).buffer);

async function read(path: string, between: (part: number) => void = () => undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytesOf(path)) {
    parts.push(Buffer.from(part));
    between(parts.length);
  }
  return Buffer.concat(parts);
}

test("[SC25] a file is handed over whole and in order, of whatever length", async () => {
  const path = join(root, "whole");
  for (const length of [0, 4, PART / 2 - 4, PART / 2, PART, PART + 4, 7 * PART, 7 * PART + 4]) {
    const whole = bytes(length, 7);
    writeFileSync(path, whole);
    expect((await read(path)).equals(whole)).toBe(true);
  }
});

test("[SC26] what is written to it meanwhile comes too, without a gap", async () => {
  const path = join(root, "grows");
  for (const start of [PART + 4, 3 * PART]) {
    const [first, more] = [bytes(start, 7), bytes(3 * PART, 11)];
    writeFileSync(path, first);
    const all = await read(path, (part) => part <= 4 && appendFileSync(path, more));
    const whole = Buffer.concat([first, more, more, more, more]);
    expect(all.equals(whole.subarray(0, all.length))).toBe(true);
    expect(all.length).toBeGreaterThan(start);
  }
});

test("[SC27] a pipe is read as it comes", async () => {
  const path = join(root, "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const whole = bytes(3 * PART, 7);
  const [all] = await Promise.all([
    read(path),
    Bun.write(join(root, "source"), whole).then(() => Bun.spawn(["cp", join(root, "source"), path]).exited),
  ]);
  expect(all.equals(whole)).toBe(true);
});
