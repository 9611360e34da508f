import { describe, test } from "bun:test";
import { missingForLab } from "../../src/lab/requirements.ts";
import { TEST_MS } from "../patience.ts";

export type Case = (title: string, run: () => Promise<void>) => void;
type Agent = { title: string; versions: readonly string[]; programOf(version: string): string };

/** One group of tests for each version, `once` with the newest only; a missing tool is a failure in CI and said elsewhere. */
export function eachOf({ title: agent, versions, programOf }: Agent) {
  return (title: string, cases: (version: string, it: Case, once: Case) => void): void => {
    describe.each([...versions])(`${title}, ${agent} %s`, (version) => {
      const missing = missingForLab(programOf(version));
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
      cases(version, it, version === versions[0] ? it : () => undefined);
    });
  };
}
