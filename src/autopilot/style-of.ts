import type { Subject } from "../core/autopilot/category/subject.ts";
import { countersFor } from "../core/autopilot/style/conventions.ts";
import { pause } from "../machine/time/pause.ts";
import { realTopOf } from "../machine/git/project-top.ts";
import { readTrackedCode } from "../machine/git/tracked-code.ts";

/** What is read is bounded by itself and takes a twentieth of it; only a git that hangs, or a machine that stands still, is not waited for. */
const MOST_MS = 2000;

/** For each question about style, how often the project's own code follows each option, as far as that is read in time. */
export async function styleOf({ ask, questions }: Subject, mostMs = MOST_MS): Promise<Subject["followed"]> {
  const counters = ask.questions.map((question, i) =>
    ["style-preference", "delegation"].includes(questions[i]?.category ?? "") ? countersFor(question) : undefined,
  );
  if (counters.every((each) => each === undefined)) return [];
  const until = performance.now() + mostMs;
  const top = await realTopOf(ask.origin.cwd);
  if (top === undefined) return [];
  const counts = counters.map((each) => each?.map((count): number | undefined => (count ? 0 : undefined)));
  let files = 0;
  const reading = readTrackedCode(top, until, (file) => {
    files += 1;
    counters.forEach((each, i) => {
      each?.forEach((count, option) => {
        const row = counts[i];
        if (count && row) row[option] = (row[option] ?? 0) + count(file);
      });
    });
  });
  // Git may take longer than anybody waits for it.
  await Promise.race([reading, pause(mostMs)]);
  return files === 0 ? [] : counts.map((row) => row && [...row]);
}
