// Databases with a past, made once through the store's own append and kept in the temp folder for the next run.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AskEvent } from "../src/core/ask/event.ts";
import { ID_LENGTH, makeId } from "../src/core/id.ts";
import { SQLITE_MIGRATIONS } from "../src/store/sqlite/migrations.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import type { Store } from "../src/store/store.ts";
import { payloadsOf, recording } from "../test/recorded.ts";
import { agentNamed } from "../src/agents/agents.ts";

/** Settled asks, each with four events; 250,000 of them are a million events. */
export const SIZES = [1000, 10_000, 25_000, 100_000, 250_000, 1_000_000, 2_500_000] as const;
const MOST = 1_000_000;
const BATCH = 5000;
const ASKS_A_SESSION = 20;
const SPACING_MS = 2000;
const FOLDER = join(tmpdir(), `parley-bench-history-${SQLITE_MIGRATIONS.length}`);

const fileOf = (asks: number) => join(FOLDER, `${asks}.db`);

/** Puts a database with so many settled asks at `path`. */
export async function putHistory(
  asks: (typeof SIZES)[number],
  path: string,
  say: (progress: string) => void,
): Promise<void> {
  if (!existsSync(fileOf(asks))) await makeAll(asks, say);
  copyFileSync(fileOf(asks), path);
}

/** One history grows; each size on the way is kept. */
async function makeAll(upTo: number, say: (progress: string) => void): Promise<void> {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  const growing = join(FOLDER, "growing.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${growing}${end}`, { force: true });
  // What an earlier run has made is gone on from.
  const kept = SIZES.findLast((size) => size <= upTo && existsSync(fileOf(size)));
  if (kept !== undefined) copyFileSync(fileOf(kept), growing);
  let made: number = kept ?? 0;
  for (const size of SIZES.filter((each) => each <= upTo && each > made)) {
    const store = openSqlite(growing);
    for (; made < size; made += BATCH) {
      if (made % 50_000 === 0) say(`making history: ${made.toLocaleString("en")} of ${upTo.toLocaleString("en")} asks`);
      await append(store, made, Math.min(BATCH, size - made));
    }
    made = size;
    await store.close();
    copyFileSync(growing, join(FOLDER, "copy"));
    renameSync(join(FOLDER, "copy"), fileOf(size));
  }
  for (const end of ["", "-wal", "-shm"]) rmSync(`${growing}${end}`, { force: true });
}

const reading = agentNamed("claude-code")?.hooks?.read(
  payloadsOf(recording("2.1.325", "answered-by-hook"), "PreToolUse")[0],
);

async function append(store: Store, from: number, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const [n, at] = [from + i, Date.UTC(2026, 0, 1) + (from + i) * SPACING_MS];
      const session = `session-${Math.floor(n / ASKS_A_SESSION)}`;
      const seen = { type: "session.seen" as const, session: { agent: "claude-code", project: `project-${n % 50}` } };
      const ended = { type: "session.ended" as const, reason: "other" };
      return store.append({
        at,
        ask: { id: idOf(n), expected: 0, events: lifeOf(n, session, at) },
        ...(n % ASKS_A_SESSION === 0 && { session: { id: session, events: [seen, ended] } }),
      });
    }),
  );
}

/** In order, spread over all ids there can be: so a million are made in minutes, and a new one falls anywhere among them. */
function idOf(n: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  const [letters, digits] = [31, 5];
  let place = Math.floor((n / MOST) * letters ** digits);
  for (let i = digits - 1; i >= 0; i--, place = Math.floor(place / letters)) bytes[i] = place % letters;
  return makeId(bytes);
}

/** Asked, answered, sent, verified. */
function lifeOf(n: number, session: string, at: number): AskEvent[] {
  if (reading?.type !== "asked") throw new Error("the recorded question cannot be read");
  const key = `toolu_${n}`;
  const origin = {
    agent: "claude-code",
    session,
    project: `project-${n % 50}`,
    branch: "main",
    cwd: "/home/dev/project",
  };
  const actor = { type: "person" as const, surface: "cli" };
  return [
    { type: "ask.captured", kind: "question", questions: reading.questions, origin, key, channel: "race" },
    { type: "ask.settled", outcome: { type: "answered", actor, at, answers: [{ picks: [n % 3] }] } },
    { type: "ask.sent", key, channel: "race" },
    { type: "ask.verified", key },
  ];
}
