import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeLock } from "./lock.ts";

test("[D1] a lock is had by one, and free again when that one lets go", () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-lock-"));
  const path = join(dir, "daemon.lock");
  const unlock = takeLock(path);
  expect(unlock).toBeFunction();
  expect(takeLock(path)).toBeUndefined();
  unlock?.();
  const again = takeLock(path);
  expect(again).toBeFunction();
  again?.();
  rmSync(dir, { recursive: true });
});

test("[D2] a lock that cannot be taken for another reason is an error, not a daemon that runs", () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-lock-"));
  expect(() => takeLock(dir)).toThrow("unable to open database file");
  writeFileSync(join(dir, "daemon.lock"), "something else\n".repeat(100));
  expect(() => takeLock(join(dir, "daemon.lock"))).toThrow("file is not a database");
  rmSync(dir, { recursive: true });
});
