import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSameFile } from "./same-file.ts";

test("[D35] a home in whose place a file or a link to itself stands is not the daemon's any more", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-same-"));
  const home = join(root, "home");
  mkdirSync(home);
  writeFileSync(join(home, "db"), "");
  const isOurs = createSameFile(join(home, "db"));
  expect(isOurs()).toBe(true);
  renameSync(home, join(root, "before"));
  expect(isOurs()).toBe(false);
  writeFileSync(home, "");
  expect(isOurs()).toBe(false);
  rmSync(home);
  symlinkSync(home, home);
  expect(isOurs()).toBe(false);
  rmSync(home);
  renameSync(join(root, "before"), home);
  expect(isOurs()).toBe(true);
  rmSync(root, { recursive: true });
});
