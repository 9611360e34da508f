import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { TEST_MS } from "../patience.ts";
import { seeded } from "./power/campaign.ts";
import { playCut } from "./power/cut.ts";
import { type CutKind, createDisk, namesBelow } from "./power/disk.ts";
import { record, type Recording } from "./power/record.ts";
import { buildRecorder, noRecorder } from "./power/recorder.ts";

const reason = noRecorder();
const skipped = reason === undefined ? "" : ` (skipped: ${reason})`;
const random = seeded(4747);
let recording: Recording;
beforeAll(async () => {
  if (reason !== undefined) return;
  using recorder = buildRecorder();
  recording = await record(recorder, { actions: 16, tasks: false, random });
}, TEST_MS);
afterAll(() => recording && rmSync(recording.program.root, { recursive: true, force: true }));

/** Right after something was acknowledged. */
const at = (nth: number) => recording.promised[nth]?.to ?? 0;

test.skipIf(reason !== undefined).each<[CutKind, number]>([
  ["synced", 15],
  ["any", 9],
])(
  `[PW1] the power is cut, of what was not synced is left: %s; all that was acknowledged is there${skipped}`,
  async (kind, nth) => {
    const { promises, ...wrong } = await playCut(recording, { at: at(nth), kind }, { random });
    expect(promises).toBeGreaterThan(nth);
    expect(wrong).toMatchObject({ lost: [], untrue: [] });
  },
  TEST_MS,
);

test.skipIf(reason !== undefined)(
  `[PW2] a build that syncs nothing is caught by the same cut${skipped}`,
  async () => {
    const { lost, promises } = await playCut(recording, { at: at(15), kind: "synced" }, { random, noSync: true });
    expect(lost).toHaveLength(promises);
  },
  TEST_MS,
);

test("[PW3] the disk keeps what was synced before the cut, names in their order, and tears the rest", async () => {
  const { mkdtempSync, readFileSync, existsSync, writeFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const { tmpdir } = await import("node:os");
  const root = mkdtempSync(join(tmpdir(), "parley-disk-"));
  writeFileSync(join(root, "old"), "old");
  const base = namesBelow(root);
  const [a, b, old] = ["a", "b", "old"].map((name) => join(root, name)) as [string, string, string];
  const file = { do: "write", path: a, offset: 0 } as const;
  const ops = [
    { do: "create", path: a },
    { ...file, data: Buffer.from("first") },
    { do: "sync", path: a, number: 1 },
    { ...file, offset: 5, data: Buffer.from(" second") },
    { do: "synced", number: 1 },
    { do: "rename", path: a, other: old },
    { do: "create", path: b },
  ] as const;
  const left = (until: number, kind: CutKind) => {
    const disk = createDisk(root, base);
    for (const op of ops.slice(0, until)) disk.take({ ...op, end: 0 });
    disk.cut(kind, random);
    return [a, b, old].map((path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined));
  };
  expect(left(4, "synced")).toEqual([undefined, undefined, "old"]);
  expect(left(5, "synced")).toEqual(["first", undefined, "old"]);
  expect(left(7, "synced")).toEqual(["first", undefined, "old"]);
  expect(left(7, "all")).toEqual([undefined, "", "first second"]);
  rmSync(root, { recursive: true });
});
