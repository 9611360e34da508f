import { describe, test } from "bun:test";
import { missingForLab } from "../../src/lab/requirements.ts";
import { TEST_MS } from "../patience.ts";

export type Case = (title: string, run: () => Promise<void>) => void;
type Agent = { title: string; versions: readonly string[]; programOf(version: string): string };

/** `npm run soak -- agents` plays everything with every version; the suite plays each agent's main path with each. */
const ALL = process.env["PARLEY_TEST_VERSIONS"] === "all";
/**
 * `it` with the newest version, and with all of them in the soak; `main` always with all of them; `once` never but
 * with the newest; `rest` in the soak alone.
 */
type Cases = { version: string; it: Case; main: Case; once: Case; rest: Case };

/** One group of tests for each version; a missing tool is a failure in CI and said elsewhere. */
export function eachOf({ title: agent, versions, programOf }: Agent) {
  return (title: string, cases: (given: Cases) => void): void => {
    describe.each([...versions])(`${title}, ${agent} %s`, (version) => {
      const missing = missingForLab(programOf(version));
      const skip = missing !== undefined && process.env["CI"] !== "true";
      const main: Case = (name, run) => {
        test.skipIf(skip)(
          skip ? `${name} (skipped: ${missing})` : name,
          async () => {
            if (missing !== undefined) throw new Error(missing);
            await run();
          },
          TEST_MS,
        );
      };
      const once: Case = version === versions[0] ? main : () => undefined;
      cases({ version, it: ALL ? main : once, main, once, rest: ALL ? main : () => undefined });
    });
  };
}
