import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import type { Ledger, LinkRow, MessageRow, Send } from "../ledger.ts";

type Row = Omit<Send, "ref" | "nextAt" | "plan"> & { next_at: number; ref: string; plan: string };
type StoredMessage = Omit<MessageRow, "draft"> & { draft: string };
const messageIn = (row: StoredMessage): MessageRow => ({ ...row, draft: JSON.parse(row.draft) as MessageRow["draft"] });

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sends (
    ask TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL,
    ref TEXT NOT NULL, plan TEXT NOT NULL DEFAULT '{}', PRIMARY KEY (ask, channel));
  CREATE TABLE IF NOT EXISTS links (
    hash TEXT PRIMARY KEY, ask TEXT NOT NULL, option INTEGER NOT NULL, expires_at INTEGER NOT NULL, used_at INTEGER);
  CREATE TABLE IF NOT EXISTS messages (
    channel TEXT NOT NULL, message TEXT NOT NULL, ask TEXT NOT NULL, version INTEGER NOT NULL, person TEXT NOT NULL,
    draft TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (channel, message));`;

/** See `Engine.openLedger`. */
export function openLedger(path: string): Ledger {
  const db = openOrReplace(path);
  const put = db.query(
    `INSERT INTO sends (ask, channel, state, attempts, next_at, ref, plan) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT (ask, channel) DO UPDATE SET state = ?3, attempts = ?4, next_at = ?5, ref = ?6, plan = ?7`,
  );
  const save = ({ ask, channel, state, attempts, nextAt, ref, plan }: Send) =>
    void put.run(ask, channel, state, attempts, nextAt, JSON.stringify(ref), JSON.stringify(plan));

  return {
    save,
    announce: db.transaction((ask: string, channels: readonly string[], at: number) => {
      for (const channel of channels)
        save({ ask, channel, state: "due", attempts: 0, nextAt: at, ref: {}, plan: { at } });
    }),
    knows: (ask: string) => db.query("SELECT 1 FROM sends WHERE ask = ? LIMIT 1").get(ask) !== null,
    isLeaving: (ask: string) =>
      db.query("SELECT 1 FROM sends WHERE ask = ? AND state = 'leaving' LIMIT 1").get(ask) !== null,
    sends(): Send[] {
      const rows = db.query<Row, []>("SELECT * FROM sends ORDER BY next_at, ask, channel").all();
      return rows.map(({ next_at, ref, plan, ...row }) => ({
        ...row,
        nextAt: next_at,
        ref: JSON.parse(ref) as Send["ref"],
        plan: JSON.parse(plan) as Send["plan"],
      }));
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
    useLink: (hash: string, at: number) =>
      db.query("UPDATE links SET used_at = ? WHERE hash = ? AND used_at IS NULL").run(at, hash).changes === 1,
    unuseLink: (hash: string) => void db.query("UPDATE links SET used_at = NULL WHERE hash = ?").run(hash),
    forgetLinks: (expiredBefore: number) => void db.query("DELETE FROM links WHERE expires_at < ?").run(expiredBefore),
    keepMessage: ({ channel, message, ask, version, person, draft, at }: MessageRow) =>
      void db
        .query("INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)")
        .run(channel, message, ask, version, person, JSON.stringify(draft), at),
    message(channel: string, message: string): MessageRow | undefined {
      const row = db
        .query<StoredMessage, [string, string]>("SELECT * FROM messages WHERE channel = ? AND message = ?")
        .get(channel, message);
      return row === null ? undefined : messageIn(row);
    },
    messagesOf: (channel: string, ask: string) =>
      db
        .query<StoredMessage, [string, string]>(
          "SELECT * FROM messages WHERE channel = ? AND ask = ? ORDER BY at, rowid",
        )
        .all(channel, ask)
        .map(messageIn),
    forgetMessages: (before: number) => void db.query("DELETE FROM messages WHERE at < ?").run(before),
    close: () => db.close(),
  };
}

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
    // One of an earlier version.
    const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('sends')").all();
    if (!columns.some(({ name }) => name === "plan"))
      db.run("ALTER TABLE sends ADD COLUMN plan TEXT NOT NULL DEFAULT '{}'");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
