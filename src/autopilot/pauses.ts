import { readFileSync } from "node:fs";
import { writeAtomic } from "../machine/file/atomic-file.ts";
import { asRecord } from "../core/record.ts";

export type Pauses = ReturnType<typeof createPauses>;
type Kept = { all?: number; sessions: Record<string, number> };

/** Sessions end without telling; nobody resumes them. */
const MOST_SESSIONS = 1000;

/**
 * Whether the autopilot is paused: everywhere, or for a session, and since when.
 * Contract: what `set` was told holds at once, and is on disk when it resolves.
 */
export function createPauses(file: string) {
  let kept = read(file);
  let turn = Promise.resolve();

  return {
    all: (): number | undefined => kept.all,
    sessions: (): Readonly<Record<string, number>> => kept.sessions,
    /** Since when; undefined: it is not. */
    since: (session: string | undefined): number | undefined =>
      kept.all ?? (session === undefined ? undefined : kept.sessions[session]),
    set(session: string | undefined, at: number | undefined): Promise<void> {
      const before = kept;
      const mine = (kept = changed(kept, session, at));
      const text = JSON.stringify(mine);
      turn = turn.catch(() => undefined).then(() => writeAtomic(file, text, { own: true, mode: 0o600 }));
      return turn.catch((error: unknown) => {
        // Whoever is told that it failed must not find it half so.
        if (kept === mine) kept = before;
        throw error;
      });
    },
  };
}

/** Resuming everything resumes every session. */
function changed({ all, sessions }: Kept, session: string | undefined, at: number | undefined): Kept {
  if (session === undefined) return at === undefined ? { sessions: {} } : { all: all ?? at, sessions };
  const { [session]: _gone, ...others } = sessions;
  const entries = at === undefined ? Object.entries(others) : [...Object.entries(others), [session, at] as const];
  return { ...(all !== undefined && { all }), sessions: Object.fromEntries(entries.slice(-MOST_SESSIONS)) };
}

function read(file: string): Kept {
  try {
    const found = asRecord(JSON.parse(readFileSync(file, "utf8")));
    const sessions = Object.entries(asRecord(found?.["sessions"]) ?? {}).filter(([, at]) => typeof at === "number");
    const all = found?.["all"];
    return {
      ...(typeof all === "number" && { all }),
      sessions: Object.fromEntries(sessions) as Record<string, number>,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { sessions: {} };
    // It was there and cannot be read: somebody wanted it to stop.
    return { all: 0, sessions: {} };
  }
}
