import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUN_COMMAND } from "../e2e/program.ts";

const repository = join(import.meta.dir, "../..");

/** Builds that are wrong on purpose: a harness that does not catch them proves nothing. */
export const BUGS = {
  /** Nothing of the store is synced. */
  "no-sync": [["store/sqlite/database.ts", '"synchronous = FULL"', '"synchronous = OFF"']],
  /** What is acknowledged is committed a while later. */
  "early-ack": [
    ["store/sqlite/commit.ts", "    begin.run();", "    if (!db.inTransaction) begin.run();"],
    ["store/sqlite/commit.ts", "      commit.run();", "      setTimeout(() => db.inTransaction && commit.run(), 300);"],
  ],
  /** The same of answers alone, and of what was taken back. */
  "early-answer": [
    ["store/sqlite/commit.ts", "    begin.run();", "    if (!db.inTransaction) begin.run();"],
    [
      "store/sqlite/commit.ts",
      "      commit.run();",
      `      const isLate = /"ask\\.settled"|"undone"/.test(JSON.stringify(steps));
      if (!isLate) commit.run();
      else setTimeout(() => db.inTransaction && commit.run(), 300);`,
    ],
  ],
} as const satisfies Record<string, readonly (readonly [file: string, right: string, wrong: string])[]>;
export type Bug = keyof typeof BUGS;

/** The program with this bug in it. */
export function plant(bug: Bug): { command: string[]; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "parley-planted-"));
  cpSync(join(repository, "src"), join(folder, "src"), { recursive: true });
  cpSync(join(repository, "package.json"), join(folder, "package.json"));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  for (const [file, right, wrong] of BUGS[bug]) {
    const path = join(folder, "src", file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(right)) throw new Error(`${file} has no ${right} any more: plant ${bug} elsewhere`);
    writeFileSync(path, text.replace(right, wrong));
  }
  return {
    command: [...BUN_COMMAND.slice(0, -1), join(folder, "src/main.ts")],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
