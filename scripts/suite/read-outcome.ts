export type Outcome = { passed: number; failed: string[]; skipped: string[]; output: string };

/** What `bun test` said. A process that ended badly without naming a test is one failure, not none. */
export function readOutcome(output: string, code: number): Outcome {
  const count = (word: string) => Number(output.match(new RegExp(`^\\s*(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const titles = (word: string) =>
    [...output.matchAll(new RegExp(`^\\(${word}\\) (.*?)(?: \\[[\\d.]+m?s\\])?$`, "gm"))].map(
      ([, title = ""]) => title,
    );
  // What failed or was skipped is said where it ran, and again at the end.
  const named = [...new Set(titles("fail"))];
  const uncounted = Math.max(count("fail") - named.length, code !== 0 && named.length === 0 ? 1 : 0);
  const failed = [...named, ...Array.from({ length: uncounted }, () => `(ended with exit code ${code})`)];
  return { passed: count("pass"), failed, skipped: [...new Set(titles("skip"))], output };
}
