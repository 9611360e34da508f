import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import type { ChannelName, Ref } from "./messenger.ts";

/**
 * due: to be sent, at `nextAt` (again) · sent: on its way to the person or there · failed: given up ·
 * leaving: to be taken back, at `nextAt` (again).
 */
export type SendState = "due" | "sent" | "failed" | "leaving";
export type Send = {
  ask: string;
  channel: ChannelName;
  state: SendState;
  attempts: number;
  nextAt: number;
  ref: Ref;
};
export type LinkRow = { ask: string; option: number; expiresAt: number; usedAt: number | null };
export type Ledger = ReturnType<typeof openLedger>;

type Row = Omit<Send, "ref" | "nextAt"> & { next_at: number; ref: string };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sends (
    ask TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL,
    ref TEXT NOT NULL, PRIMARY KEY (ask, channel));
  CREATE TABLE IF NOT EXISTS links (
    hash TEXT PRIMARY KEY, ask TEXT NOT NULL, option INTEGER NOT NULL, expires_at INTEGER NOT NULL, used_at INTEGER);`;

/**
 * What was sent to whom, so that nobody hears of an Ask twice, also after a restart. Beside the inbox's own database:
 * it says nothing about any Ask, and losing it costs a second notification.
 */
export function openLedger(path: string) {
  const db = openOrReplace(path);
  const put = db.query(
    `INSERT INTO sends (ask, channel, state, attempts, next_at, ref) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (ask, channel) DO UPDATE SET state = ?3, attempts = ?4, next_at = ?5, ref = ?6`,
  );
  const save = ({ ask, channel, state, attempts, nextAt, ref }: Send) =>
    void put.run(ask, channel, state, attempts, nextAt, JSON.stringify(ref));

  return {
    save,
    /** All at once: an Ask that was announced on one channel is known on all. */
    announce: db.transaction((ask: string, channels: readonly ChannelName[], at: number) => {
      for (const channel of channels) save({ ask, channel, state: "due", attempts: 0, nextAt: at, ref: {} });
    }),
    knows: (ask: string) => db.query("SELECT 1 FROM sends WHERE ask = ? LIMIT 1").get(ask) !== null,
    /** Something about it is being taken back. */
    isLeaving: (ask: string) =>
      db.query("SELECT 1 FROM sends WHERE ask = ? AND state = 'leaving' LIMIT 1").get(ask) !== null,
    sends(): Send[] {
      const rows = db.query<Row, []>("SELECT * FROM sends ORDER BY next_at, ask, channel").all();
      return rows.map(({ next_at, ref, ...row }) => ({ ...row, nextAt: next_at, ref: JSON.parse(ref) as Ref }));
    },
    drop: ({ ask, channel }: Send) =>
      void db.query("DELETE FROM sends WHERE ask = ? AND channel = ?").run(ask, channel),
    addLink: (hash: string, ask: string, option: number, expiresAt: number) =>
      void db
        .query("INSERT INTO links (hash, ask, option, expires_at) VALUES (?, ?, ?, ?)")
        .run(hash, ask, option, expiresAt),
    link: (hash: string) =>
      db
        .query<LinkRow, [string]>(
          "SELECT ask, option, expires_at AS expiresAt, used_at AS usedAt FROM links WHERE hash = ?",
        )
        .get(hash) ?? undefined,
    /** True for one caller only. */
    useLink: (hash: string, at: number) =>
      db.query("UPDATE links SET used_at = ? WHERE hash = ? AND used_at IS NULL").run(at, hash).changes === 1,
    unuseLink: (hash: string) => void db.query("UPDATE links SET used_at = NULL WHERE hash = ?").run(hash),
    /** Long after its end nobody needs to be told what became of a link. */
    forgetLinks: (expiredBefore: number) => void db.query("DELETE FROM links WHERE expires_at < ?").run(expiredBefore),
    close: () => db.close(),
  };
}

/** Contract: never throws. What cannot be opened is made anew, and if that cannot be, kept in memory. */
function openOrReplace(path: string): Database {
  try {
    return open(path);
  } catch {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true, recursive: true });
  }
  try {
    return open(path);
  } catch {
    return open(":memory:");
  }
}

function open(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  try {
    for (const pragma of ["busy_timeout = 5000", "journal_mode = WAL", "synchronous = NORMAL"])
      db.run(`PRAGMA ${pragma}`);
    db.run(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
