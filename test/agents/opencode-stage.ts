import { describe, test } from "bun:test";
import { join } from "node:path";
import { missingForLab } from "../../src/lab/requirements.ts";
import { TEST_MS } from "../patience.ts";

/** Newest first; 1.1.11 is the oldest published one that has the `question` tool, and keeps no database yet. */
export const OPENCODE_VERSIONS = ["1.18.33", "1.3.2", "1.1.11"] as const;

export type ToolQuestion = {
  question: string;
  header: string;
  multiple?: boolean;
  options: { label: string; description: string }[];
};

export const question = (text: string, labels: readonly string[], more: Partial<ToolQuestion> = {}): ToolQuestion => ({
  question: text,
  header: "Choice",
  options: labels.map((label) => ({ label, description: `What ${label} means` })),
  ...more,
});

export const opencodeProgram = (version: string): string =>
  join(import.meta.dir, `versions/node_modules/opencode-${version}/bin/opencode`);

type Case = (title: string, run: () => Promise<void>) => void;

/** One group of tests for each version, `once` with the newest only; a missing tool is a failure in CI and said elsewhere. */
export function eachOpencode(title: string, cases: (version: string, it: Case, once: Case) => void): void {
  describe.each([...OPENCODE_VERSIONS])(`${title}, opencode %s`, (version) => {
    const missing = missingForLab(opencodeProgram(version));
    const skip = missing !== undefined && process.env["CI"] !== "true";
    const it: Case = (name, run) => {
      test.skipIf(skip)(
        skip ? `${name} (skipped: ${missing})` : name,
        async () => {
          if (missing !== undefined) throw new Error(missing);
          await run();
        },
        TEST_MS,
      );
    };
    cases(version, it, version === OPENCODE_VERSIONS[0] ? it : () => undefined);
  });
}
