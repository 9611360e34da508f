import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPauses } from "./pauses.ts";

test("[AU39] a pause is kept; resuming everything resumes every session; a file that cannot be read is a pause", async () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-pauses-"));
  const file = join(dir, "autopilot.json");
  try {
    const pauses = createPauses(file);
    await pauses.set("s1", 5);
    expect([pauses.since("s1"), pauses.since("s2"), pauses.since(undefined)]).toEqual([5, undefined, undefined]);
    await pauses.set(undefined, 7);
    const again = createPauses(file);
    expect([again.since("s1"), again.since("s2"), again.since(undefined), again.all()]).toEqual([7, 7, 7, 7]);
    await again.set(undefined, undefined);
    expect(createPauses(file).since("s1")).toBeUndefined();
    writeFileSync(file, "{ broken");
    expect(createPauses(file).since("s1")).toBe(0);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
