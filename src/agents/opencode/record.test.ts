import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPart } from "./receipt.ts";
import { readAbout, readLastSaid, readRecord } from "./record.ts";

const dir = mkdtempSync(join(tmpdir(), "parley-record-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** The table as 1.3.2 and 1.18.33 make it. */
const TABLE = `CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`;
const recorded = JSON.parse(
  readFileSync(join(import.meta.dir, "fixtures/1.18.33/form-outside/part.json"), "utf8"),
) as Record<string, unknown>;

function database(name: string): { path: string; open: Database } {
  const path = join(dir, name);
  const open = new Database(path, { create: true });
  open.run("PRAGMA journal_mode = WAL");
  open.run(TABLE);
  const { id, sessionID, messageID, ...data } = recorded;
  const insert = open.query("INSERT INTO part VALUES (?, ?, ?, ?, 0, ?)");
  insert.run(String(id), String(messageID), String(sessionID), 2, JSON.stringify(data));
  insert.run("prt_older", "msg_older", String(sessionID), 1, JSON.stringify({ ...data, state: { status: "running" } }));
  insert.run("prt_broken", "msg_broken", String(sessionID), 3, "no json");
  return { path, open };
}

const name = { session: String(recorded["sessionID"]), key: String(recorded["callID"]) };

test("[OC40] a call is found by session and name, the newest where there are two, or that of a message", () => {
  const { path, open } = database("opencode.db");
  expect(readRecord(path, name)).toEqual(readPart(recorded));
  expect(readRecord(path, { ...name, turn: "msg_older" })?.received).toBe("running");
  expect(readRecord(path, { ...name, key: "call_other" })).toBeUndefined();
  expect(readRecord(path, { ...name, session: "ses_other" })).toBeUndefined();
  open.close();
});

test("[OC41] a file that is missing, locked, foreign or of another shape says nothing, and none is made", () => {
  const before = readdirSync(dir).length;
  expect(readRecord(join(dir, "missing.db"), name)).toBeUndefined();
  expect(readdirSync(dir)).toHaveLength(before);
  writeFileSync(join(dir, "foreign.db"), "not a database at all, but long enough to look like one");
  expect(readRecord(join(dir, "foreign.db"), name)).toBeUndefined();
  new Database(join(dir, "empty.db"), { create: true }).close();
  expect(readRecord(join(dir, "empty.db"), name)).toBeUndefined();
  const { path, open } = database("locked.db");
  open.run("PRAGMA journal_mode = DELETE");
  open.run("BEGIN EXCLUSIVE");
  expect(readRecord(path, name)).toBeUndefined();
  open.run("COMMIT");
  expect(readRecord(path, name)?.key).toBe(name.key);
  open.close();
});

test("[NM13] a session's title, first prompt and last words are read; a title it has not found yet is none", () => {
  const { path, open } = database("about.db");
  open.run("CREATE TABLE session (id text PRIMARY KEY, title text NOT NULL)");
  open.run("CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text)");
  const said = (n: number, role: string, data: object) => {
    open.run("INSERT INTO message VALUES (?, 's', ?, ?)", [`m${n}`, n, JSON.stringify({ role })]);
    open.run("INSERT INTO part VALUES (?, ?, 's', ?, 0, ?)", [`p${n}`, `m${n}`, n, JSON.stringify(data)]);
  };
  open.run("INSERT INTO session VALUES ('s', 'New session - 2026-11-16T03:54:29.503Z')");
  said(10, "user", { type: "text", text: "Fix the login" });
  said(11, "assistant", { type: "text", text: "Done." });
  said(12, "user", { type: "text", text: "hidden", synthetic: true });
  expect(readAbout(path, "s")).toEqual({ prompt: "Fix the login", lastPrompt: 12 });
  expect(readLastSaid(path, "s")).toBe("Done.");
  open.run("UPDATE session SET title = 'Login fix'");
  expect(readAbout(path, "s").title).toBe("Login fix");
  expect([readAbout(join(dir, "none.db"), "s"), readLastSaid(join(dir, "none.db"), "s")]).toEqual([{}, ""]);
  open.close();
});
