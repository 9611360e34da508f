import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AskEvent } from "../core/ask/event.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import { createConfigFiles } from "../machine/settings/config-file.ts";
import { openLedger } from "../store/sqlite/ledger.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import { answered, database } from "../../test/sample.ts";
import type { Messenger } from "./messenger.ts";
import { createMismatchNotes } from "./mismatch-notes.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const HISTORY = 1200;
const [HOUR, YEAR] = [3_600_000, 365 * 86_400_000];
const captured: AskEvent = {
  type: "ask.captured",
  kind: "question",
  questions: [database],
  origin: { agent: "claude-code" },
  key: "k",
  channel: "race",
};
const done: AskEvent[] = [
  captured,
  { type: "ask.settled", outcome: answered({ picks: [0] }) },
  { type: "ask.sent", key: "k", channel: "race" },
  { type: "ask.verified", key: "k" },
];

test("[LD6] an answer that reached nobody is told after a start, and no history is walked through to find it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-mismatch-"));
  folders.push(folder);
  const file = join(folder, "config.toml");
  writeFileSync(file, "notify.after_seconds = 0\n");
  const [store, ledger] = [openSqlite(join(folder, "parley.db")), openLedger(join(folder, "ledger.db"))];
  const now = Date.now();
  const ask = (id: string, at: number, events: AskEvent[]) => store.append({ at, ask: { id, expected: 0, events } });
  try {
    await Promise.all(Array.from({ length: HISTORY }, (_, i) => ask(`old${i}`, now - YEAR + i, done)));
    await Promise.all(Array.from({ length: 150 }, (_, i) => ask(`new${i}`, now - HOUR + i, done)));
    const outcome: Outcome = { ...answered({ picks: [0] }), actor: { type: "person", surface: "telegram" } };
    const gone: Outcome = { type: "withdrawn", actor: { type: "system", surface: "parley" }, at: now };
    const lost: AskEvent[] = [
      captured,
      { type: "ask.settled", outcome },
      { type: "ask.ended", key: "k", outcome: gone },
    ];
    await ask("lost", now - 2 * HOUR, lost);
    let rows = 0;
    const counted: typeof store = {
      ...store,
      async list(query) {
        const found = await store.list(query);
        rows += found.length;
        return found;
      },
    };
    const told: string[] = [];
    const telegram: Messenger = {
      name: "telegram",
      links: false,
      off: () => undefined,
      send: async () => ({ ref: {}, detail: "" }),
      withdraw: async () => {},
      tell: async ({ ask: id }) => (told.push(id), "somebody"),
    };
    const notes = createMismatchNotes({
      store: counted,
      config: createConfigFiles({ env: { PARLEY_CONFIG: file }, cwd: folder }),
      ledger,
      channels: [telegram],
      now: () => now,
      log: () => {},
      noted: async () => {},
      heard: async () => {},
    });
    await notes.run();
    await notes.run();
    expect(told).toEqual(["lost"]);
    expect(rows).toBeLessThan(HISTORY / 2);
  } finally {
    await store.close();
    ledger.close();
  }
});
