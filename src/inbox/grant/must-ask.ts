import type { HookReading } from "../../agents/capability/reading.ts";
import type { Config } from "../../core/config/config.ts";
import type { Settings } from "../../core/config/check.ts";
import { safeLine } from "../../core/text/text.ts";
import { topsOf } from "../../machine/git/project-top.ts";
import { realPath } from "../../machine/file/real-path.ts";

type Asked = HookReading & { type: "asked" };
type Judged = Pick<Asked, "kind" | "about" | "call"> & { session: Pick<Asked["session"], "cwd"> };
type Matcher = (
  call: NonNullable<Asked["about"]>,
  place: { cwd: string; top: string; real: typeof realPath; topsOf(file: string): readonly string[] },
) => boolean;
export type MustAsk = ReturnType<typeof createMustAsk>;
const MOST_KNOWN = 1000;

/** Calls that a person wants to be asked about in every mode. `patternsFor`: those of a folder. */
export function createMustAsk(patternsFor: (cwd: string) => Promise<readonly string[]>) {
  const known = new Map<string, Matcher>();
  async function matcher(text: string): Promise<Matcher> {
    const found = known.get(text);
    if (found) return found;
    const { readMustAsk } = await import("../../core/grant/must-ask.ts");
    const read = readMustAsk(text);
    // One that cannot be read would never ask: so it always does.
    const made: Matcher = "refused" in read ? () => true : read.pattern;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, made);
    return made;
  }

  return {
    patternsFor,
    /** The first pattern that a call fits, or may fit. */
    async patternFor({ kind, about, call = about, session: { cwd = "/" } }: Judged): Promise<string | undefined> {
      if (kind !== "approval" || !call) return undefined;
      const here = realPath(cwd) ?? cwd;
      const [top = here, ...above] = topsOf(here);
      // A repository that an agent makes inside of the project takes nothing away from it.
      const lists = await Promise.all([cwd, ...above].map(patternsFor));
      const patterns = new Set(lists.flat());
      if (patterns.size === 0) return undefined;
      const place = { cwd, top, real: realPath, topsOf };
      for (const text of patterns) if ((await matcher(text))(call, place)) return text;
      return undefined;
    },
  };
}

/** The person's own, and those of the project beside them: it can only add to what is asked about. */
export function mustAskIn({ values, apart }: { values: Config; apart: Settings }): readonly string[] {
  const found = apart.get("approvals.must_ask");
  const theirs = Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
  // Who changes that file changes what is asked about.
  return [...values.approvals.must_ask, ...theirs, ...(theirs.length > 0 ? ["write .parley.toml"] : [])];
}

export const mustAskWords = (pattern: string): string =>
  `Parley always asks about ${JSON.stringify(safeLine(pattern, { max: 120 }))}`;
