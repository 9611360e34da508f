import * as fc from "fast-check";
import { expect } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportAudit, readHead, verifyFile, verifyRecords } from "../../src/hub/audit/audit.ts";
import { newKey, type SignedHead, signHead } from "../../src/hub/audit/head.ts";
import { createHubAudit, tokenName } from "../../src/store/hub/audit.ts";
import { BEGINNING, hashOf } from "../../src/store/hub/chain.ts";
import { createHubRecords, type HubRecords } from "../../src/store/hub/records.ts";
import type { HubDatabase, HubRun } from "../../src/store/hub/schema.ts";
import { runs as fuzz } from "../hostile/fuzz.ts";

const TOKEN = "t".repeat(64);

/** A hub's records after some life: machines, people, answers in every state, somebody revoked. */
export async function lived(db: HubDatabase) {
  const records = createHubRecords(db);
  await records.audit.begin(1);
  for (const n of [1, 2]) {
    await records.addCode(`code${n}`, 1000, 2);
    const machine = { id: `machine${n}`, name: `M${n}`, token: `mt${n}`, projects: ["/a"] };
    await records.join(`code${n}`, machine, 3);
    // Its reply was lost.
    await records.join(`code${n}`, machine, 4);
    await records.connect(`mt${n}`, `link${n}`, 5);
  }
  const token = { hash: TOKEN, id: "ann", name: "Ann", role: "answerer", project: null, expiresAt: null };
  await records.addToken(token, 6);
  await records.addToken({ ...token, hash: "u".repeat(64), id: "bob", name: "Bob ä 🦜\u2028" }, 6);
  const asks = ["a", "b", "c"].map((id) => ({
    id,
    version: 1,
    state: "open",
    project: null,
    createdAt: 1,
    view: { id, kind: "question", questions: [], origin: {} },
  }));
  const of = { id: "d", kind: "question", questions: [], origin: { project: "none" } };
  const forTwo = { id: "d", version: 1, state: "open", project: "none", createdAt: 1, view: of };
  const agreedOn = { ...forTwo, id: "e", view: { ...of, id: "e" } };
  await records.takeAsks("link1", [...asks, forTwo, agreedOn], 1, 7);
  for (const { id } of asks)
    await records.putIntent(
      { machine: "machine1", ask: id, key: id, settlement: { action: "decline" }, token: TOKEN, asked: { id } },
      () => true,
      8,
    );
  await records.takeReceipt("link1", { n: 1, state: "received", detail: null }, 9);
  await records.takeReceipt("link1", { n: 1, state: "overtaken", detail: "twice" }, 9);
  await records.takeReceipt("link1", { n: 2, state: "withdrawn", detail: "nobody waits" }, 9);
  await agreed(records);
  // Two chose the same, and their machine has it.
  for (const hash of [TOKEN, "u".repeat(64)])
    await records.putIntent(
      { machine: "machine1", ask: "e", key: "e", settlement: { action: "decline" }, token: hash, asked: { id: "e" } },
      () => true,
      10,
    );
  await records.takeReceipt("link1", { n: 5, state: "received", detail: null }, 10);
  await records.addToken({ ...token, hash: "v".repeat(64) }, 10);
  await records.endToken({ id: tokenName("v".repeat(64)), by: "host" }, 10);
  await records.revoke("machine2", 10);
  await records.revoke("bob", 10);
  return records;
}

/** What a team set: a group, routes and policies, some of them no more; and a browser that is signed in, one that was. */
async function agreed(records: HubRecords): Promise<void> {
  await records.setGroup({ name: "ops", members: ["ann", "bob"] }, 10);
  const about = { project: "none", kind: null, stakes: false };
  const steps = [{ type: "group" as const, id: "ops", name: "ops" }];
  await records.setRoute({ ...about, steps, afterMs: 60_000 }, 10);
  await records.setRoute({ ...about, kind: "plan", steps, afterMs: 60_000 }, 10);
  await records.removeRoute({ ...about, kind: "plan" }, 10);
  await records.setRoute({ ...about, kind: "plan", steps, afterMs: 90_000 }, 10);
  await records.setRoute({ ...about, kind: "form", steps, afterMs: 60_000 }, 10);
  await records.removeRoute({ ...about, kind: "form" }, 10);
  for (const id of ["p1", "p2"])
    await records.addPolicy({ id, two: true, signed: false, project: "none", kind: null, stake: null }, 10);
  await records.removePolicy("p2", 10);
  await records.takeOffers("link1", ["site"], 10);
  await records.putTask(
    { id: "task1", key: "k", machine: "machine1", project: "site", prompt: "do", title: null, token: TOKEN },
    () => true,
    10,
  );
  await records.putIntent(
    { machine: "machine1", ask: "d", key: "d", settlement: { action: "decline" }, token: TOKEN, asked: { id: "d" } },
    () => true,
    10,
  );
  for (const n of [1, 2]) {
    const invite = { name: "Ann", role: "viewer", project: "site", first: false };
    await records.addInvite(`invite${n}`, invite, 10, 1000);
    const session = { hash: `hash${n}`, previews: `previews${n}`, id: `session${n}`, name: "Firefox" };
    const passkey = { id: `key${n}`, publicKey: "AAAA", counter: 0, transports: [] };
    await records.redeem(`invite${n}`, { member: "other", name: "Ann", passkey, session }, 10);
  }
  for (const id of ["ci1", "ci2"])
    await records.addMachineToken({ hash: `hash of ${id}`, id, name: id, projects: ["site"], expiresAt: null }, 10);
  await records.revokeMachineToken("ci2", 10);
  await records.endSession({ id: "session2", by: "ann" }, 10);
}

/** What somebody with rights in the database can do to it, so that nothing of it stays unseen. */
const ROW_CHANGES: Readonly<
  Record<string, (run: HubRun, seq: number, other: number, word: string) => Promise<unknown>>
> = {
  ...Object.fromEntries(
    ["kind", "actor", "facts", "digest", "prev", "hash", "content"].map((column) => [
      column,
      (run: HubRun, seq: number, _: number, word: string) =>
        run(`UPDATE hub_audit SET ${column} = coalesce(${column}, '') || $2 WHERE seq = $1`, [seq, word]),
    ]),
  ),
  at: (run, seq) => run("UPDATE hub_audit SET at = at + 1 WHERE seq = $1", [seq]),
  spaces: (run, seq) => run("UPDATE hub_audit SET facts = ' ' || facts WHERE seq = $1", [seq]),
  removed: (run, seq) => run("DELETE FROM hub_audit WHERE seq = $1", [seq]),
  "end removed": (run, seq) => run("DELETE FROM hub_audit WHERE seq >= $1", [seq]),
  "moved away": (run, seq) => run("UPDATE hub_audit SET seq = seq + 1000 WHERE seq = $1", [seq]),
  async swapped(run, seq, other) {
    const [from, to] = seq === other ? [seq, seq === 1 ? 2 : seq - 1] : [seq, other];
    await run("UPDATE hub_audit SET seq = -1 WHERE seq = $1", [from]);
    await run("UPDATE hub_audit SET seq = $1 WHERE seq = $2", [from, to]);
    await run("UPDATE hub_audit SET seq = $1 WHERE seq = -1", [to]);
  },
  doubled: (run, seq) =>
    run(
      `INSERT INTO hub_audit SELECT (SELECT max(seq) + 1 FROM hub_audit), at, kind, actor, facts, digest, prev, hash, content
         FROM hub_audit WHERE seq = $1`,
      [seq],
    ),
  "answer changed": (run) => run(`UPDATE hub_intents SET settlement = '{"action":"cancel"}' WHERE n = 1`),
  "answer of another": (run) => run("UPDATE hub_intents SET member = 'bob' WHERE n = 2"),
  "answer invented": (run) =>
    run(
      `INSERT INTO hub_intents (machine, n, key, ask, member, at, settlement, state)
         VALUES ('machine1', 99, 'k', 'z', 'ann', 1, '{"action":"decline"}', 'sent')`,
    ),
  "answer sent again that came to nothing": (run) => run("UPDATE hub_intents SET state = 'sent' WHERE n = 2"),
  "answer kept back": (run) => run("UPDATE hub_intents SET state = 'withdrawn' WHERE n = 3"),
  "another receipt": (run) => run("UPDATE hub_intents SET state = 'overtaken' WHERE n = 1"),
  "task kept back": (run) => run("UPDATE hub_tasks SET state = 'withdrawn'"),
  "role raised": (run) => run("UPDATE hub_tokens SET role = 'admin' WHERE member = 'ann'"),
  "revoked no more": (run) => run("UPDATE hub_members SET revoked_at = NULL WHERE id = 'bob'"),
  "machine let in again": (run) => run("UPDATE hub_machines SET revoked_at = NULL WHERE id = 'machine2'"),
  "token invented": (run) =>
    run("INSERT INTO hub_tokens (hash, member, role, made_at) VALUES ('e', 'ann', 'admin', 1)"),
  "browser let in": (run) =>
    run("INSERT INTO hub_sessions VALUES ('eve', 'eve', 'eve', 'ann', 'Chrome', 1, 1, 9000000000000)"),
  "browser of another": (run) => run("UPDATE hub_sessions SET member = 'bob' WHERE id = 'session1'"),
  "browser with another key": (run) => run("UPDATE hub_sessions SET hash = 'eve' WHERE id = 'session1'"),
  "browser let in again": (run) =>
    run("INSERT INTO hub_sessions VALUES ('hash2', 'previews2', 'session2', 'ann', 'Firefox', 10, 10, 9000000000000)"),
  "browser gone": (run) => run("DELETE FROM hub_sessions WHERE id = 'session1'"),
  "answer gone": (run) => run("DELETE FROM hub_intents WHERE n = 1"),
  "choice gone": (run) => run("DELETE FROM hub_halves WHERE n = 0"),
  "choice changed": (run) => run(`UPDATE hub_halves SET settlement = '{"action":"cancel"}' WHERE n = 0`),
  "choice made to agree": (run) => run("UPDATE hub_halves SET answer = 'x' WHERE n = 0"),
  "choice for another text": (run) => run("UPDATE hub_halves SET shown = 'x' WHERE n = 0"),
  ...Object.fromEntries(
    ["ann", "bob"].flatMap((member) =>
      Object.entries({
        "changed after it was sent": `UPDATE hub_halves SET settlement = '{"action":"cancel"}'`,
        "no JSON after it was sent": "UPDATE hub_halves SET settlement = 'x'",
        "made to disagree after it was sent": "UPDATE hub_halves SET answer = 'x'",
        "for another text after it was sent": "UPDATE hub_halves SET shown = 'x'",
        "signed after it was sent": "UPDATE hub_halves SET signed = '{}'",
        "of another after it was sent": "UPDATE hub_halves SET member = 'other'",
        "behind another answer": "UPDATE hub_halves SET n = 1",
        "waiting again": "UPDATE hub_halves SET n = 0",
        "gone after it was sent": "DELETE FROM hub_halves",
      }).map(([what, text]) => [
        `choice of ${member} ${what}`,
        (run: HubRun) => run(`${text} WHERE n = 5 AND member = $1`, [member]),
      ]),
    ),
  ),
  "somebody put behind an answer of one": (run) =>
    run(`INSERT INTO hub_halves VALUES ('machine1', 'a', 'bob', 1, 'k', 8, '{"action":"decline"}', 'x', 'x', NULL)`),
  "a third put behind an answer of two": (run) =>
    run(
      `INSERT INTO hub_halves SELECT machine, ask, 'other', n, 'k', at, settlement, shown, answer, signed
       FROM hub_halves WHERE n = 5 AND member = 'ann'`,
    ),
  "task gone": (run) => run("DELETE FROM hub_tasks"),
  "machine gone": (run) => run("DELETE FROM hub_machines WHERE id = 'machine1'"),
  "revoked machine gone": (run) => run("DELETE FROM hub_machines WHERE id = 'machine2'"),
  "member gone": (run) => run("DELETE FROM hub_members WHERE id = 'ann'"),
  "revoked member gone": (run) => run("DELETE FROM hub_members WHERE id = 'bob'"),
  "token gone": (run) => run("DELETE FROM hub_tokens WHERE member = 'ann'"),
  "ended token back": (run) => run("UPDATE hub_tokens SET expires_at = NULL WHERE hash LIKE 'v%'"),
  "ended token gone": (run) => run("DELETE FROM hub_tokens WHERE hash LIKE 'v%'"),
  "token of machines invented": (run) =>
    run("INSERT INTO hub_machine_tokens (id, hash, name, projects, made_at) VALUES ('eve', 'eve', 'eve', '[]', 1)"),
  "token of machines for more": (run) => run(`UPDATE hub_machine_tokens SET projects = '["*"]' WHERE id = 'ci1'`),
  "token of machines back": (run) => run("UPDATE hub_machine_tokens SET revoked_at = NULL WHERE id = 'ci2'"),
  "token of machines gone": (run) => run("DELETE FROM hub_machine_tokens WHERE id = 'ci1'"),
  "passkey gone": (run) => run("DELETE FROM hub_passkeys WHERE id = 'key1'"),
  "role gone": (run) => run("DELETE FROM hub_roles"),
  "route invented": (run) => run("INSERT INTO hub_routes VALUES ('[\"x\",null,false]', 'x', NULL, 0, '[]', 1)"),
  "route to others": (run) => run("UPDATE hub_routes SET steps = '[]' WHERE kind IS NULL"),
  "route made slow": (run) => run("UPDATE hub_routes SET after_ms = 9 WHERE kind = 'plan'"),
  "route back": (run) =>
    run(
      `INSERT INTO hub_routes SELECT '["none","form",false]', project, 'form', stakes, steps, after_ms FROM hub_routes WHERE kind IS NULL`,
    ),
  "route gone": (run) => run("DELETE FROM hub_routes WHERE kind = 'plan'"),
  "group invented": (run) => run(`INSERT INTO hub_groups VALUES ('eve', '["ann"]')`),
  "group changed": (run) => run(`UPDATE hub_groups SET members = '["bob"]'`),
  "group gone": (run) => run("DELETE FROM hub_groups"),
  "policy invented": (run) => run("INSERT INTO hub_policies VALUES ('eve', 1, 0, NULL, NULL, NULL, 1)"),
  "policy loosened": (run) => run("UPDATE hub_policies SET two = 0"),
  "policy gone": (run) => run("DELETE FROM hub_policies"),
  "policy back": (run) => run("INSERT INTO hub_policies VALUES ('p2', 1, 0, 'none', NULL, NULL, 10)"),
  "member invented": (run) => run("INSERT INTO hub_members (id, name, made_at) VALUES ('eve', 'Eve', 1)"),
  "machine invented": (run) =>
    run(
      `INSERT INTO hub_machines (id, name, token, projects, joined_at, seen_at, intents) VALUES ('eve', 'Eve', 'e', '[]', 1, 1, 0)`,
    ),
};

/** Done, looked at and taken back. */
async function tried<T>(db: HubDatabase, work: (run: HubRun) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await db
    .transaction(async (run) => {
      result = { value: await work(run) };
      throw new Error("taken back");
    })
    .catch((error: Error) => {
      if (!result) throw error;
    });
  return (result as { value: T }).value;
}

const inside = (run: HubRun) =>
  createHubAudit({
    run,
    transaction: (work) => work(run),
    snapshot: (work) => work(run),
    close: async () => undefined,
  });

export async function everyRowChangeIsFound(db: HubDatabase, runs: number): Promise<void> {
  const { audit } = await lived(db);
  const whole = await verifyRecords(audit, undefined, 20);
  expect(whole).toMatchObject({ ok: true, problems: [] });
  const look = (name: string, seq: number, other: number, word: string) =>
    tried(db, async (run) => {
      await ROW_CHANGES[name]?.(run, seq, other, word);
      return verifyRecords(inside(run), undefined, 20);
    });
  const numbers = fc.integer({ min: 1, max: whole.events });
  // Each once at least, then any of them.
  for (const name of Object.keys(ROW_CHANGES)) expect([name, (await look(name, 3, 6, "x")).ok]).toEqual([name, false]);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(ROW_CHANGES)),
      numbers,
      numbers,
      fc.constantFrom("x", " ", "0", "'", "ä", "}"),
      async (name, seq, other, word) => {
        const { ok, problems } = await look(name, seq, other, word);
        expect([ok, problems.length > 0]).toEqual([false, true]);
      },
    ),
    fuzz(runs),
  );
  expect(await verifyRecords(audit, undefined, 20)).toMatchObject({ ok: true, events: whole.events });
}

/** Before every statement of whoever verifies, another hub writes something of each kind: all of it is in order. */
export async function wholeWhileOthersWrite(db: HubDatabase, other: HubDatabase): Promise<void> {
  await lived(db);
  const writer = createHubRecords(other);
  let n = 0;
  async function write(): Promise<void> {
    const id = String(++n);
    const machine = { id: `late${id}`, name: id, token: `late${id}`, projects: ["/a"] };
    await writer.addCode(`late${id}`, 1000, 30);
    await writer.join(`late${id}`, machine, 30);
    await writer.connect(`late${id}`, `line${id}`, 30);
    const token = { hash: `late${id}`, id: `late${id}`, name: `L${id}`, role: "admin", project: null, expiresAt: null };
    await writer.addToken(token, 30);
    await writer.addPolicy({ id, two: true, signed: false, project: "none", kind: null, stake: null }, 30);
    if (n > 1) await writer.removePolicy(String(n - 1), 30);
    const view = { id: `ask${id}`, kind: "question", questions: [], origin: {} };
    const ask = { id: view.id, version: 1, state: "open", project: null, createdAt: 1, view };
    await writer.takeAsks(`line${id}`, [ask], 1, 30);
    const settlement = { action: "decline" };
    const answer = { machine: machine.id, ask: `ask${id}`, key: id, settlement, token: token.hash };
    expect((await writer.putIntent({ ...answer, asked: { kind: "question" } }, () => true, 30)).type).toBe("put");
    if (n > 1) await writer.revoke(`late${n - 1}`, 30);
  }
  const hooked =
    (run: HubRun): HubRun =>
    async (text, values) => {
      await write();
      return run(text, values);
    };
  await write();
  const audit = createHubAudit({
    ...db,
    run: hooked(db.run),
    snapshot: (work) => db.snapshot((say) => work(hooked(say))),
  });
  const before = n;
  expect(await verifyRecords(audit, undefined, 40)).toMatchObject({ ok: true, problems: [] });
  expect(n).toBeGreaterThan(before);
  expect(await verifyRecords(createHubAudit(db), undefined, 40)).toMatchObject({ ok: true, problems: [] });
}

/** Rewritten and cut so well that the log alone shows nothing; the head that was kept does. */
export async function keptHeadShowsIt(db: HubDatabase): Promise<void> {
  const { audit } = await lived(db);
  const { head } = await verifyRecords(audit, undefined, 20);
  if (!head) throw new Error("no head");
  const kinds = (known: SignedHead | undefined, work: (run: HubRun) => Promise<unknown>) =>
    tried(db, async (run) => {
      await work(run);
      const { ok, problems } = await verifyRecords(inside(run), known, 21);
      return [ok, problems.map(({ kind }) => kind)];
    });
  const cut = async (run: HubRun) => {
    await run("DELETE FROM hub_audit WHERE seq = $1", [head.seq]);
    await run("UPDATE hub_audit_head SET seq = $1, hash = (SELECT hash FROM hub_audit WHERE seq = $1)", [head.seq - 1]);
    await run("UPDATE hub_members SET revoked_at = NULL WHERE id = 'bob'");
  };
  expect(await kinds(undefined, cut)).toEqual([true, []]);
  expect(await kinds(head, cut)).toEqual([false, ["cut"]]);
  const rewrite = async (run: HubRun) => {
    let prev = BEGINNING;
    for await (const row of inside(run).rows()) {
      const event = { ...row, at: row.seq === 2 ? 7 : row.at, facts: JSON.parse(row.facts), prev };
      prev = hashOf(event);
      await run("UPDATE hub_audit SET at = $2, prev = $3, hash = $4 WHERE seq = $1", [
        row.seq,
        event.at,
        event.prev,
        prev,
      ]);
    }
    await run("UPDATE hub_audit_head SET hash = $1", [prev]);
  };
  expect(await kinds(undefined, rewrite)).toEqual([true, []]);
  expect(await kinds(head, rewrite)).toEqual([false, ["rewritten"]]);
  expect(await kinds(head, async (run) => void (await run("DELETE FROM hub_keys")))).toEqual([false, ["key"]]);
  expect(await kinds({ ...head, at: head.at + 1 }, async () => undefined)).toEqual([false, ["signature"]]);
  expect(await kinds(signHead(head, 20, newKey()), async () => undefined)).toEqual([false, ["key"]]);
}

export async function everyFileChangeIsFound(db: HubDatabase, runs: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "parley-audit-"));
  try {
    const { audit } = await lived(db);
    const out = join(dir, "log.jsonl");
    const { head, events } = await exportAudit(audit, out, 20);
    const bytes = await readFile(out);
    const lines = bytes.toString().trimEnd().split("\n");
    expect(lines.length).toBe(events);
    expect(await verifyFile(out, await readHead(out))).toEqual({ ok: true, events, head, problems: [] });
    const changed = join(dir, "changed.jsonl");
    const look = async (content: string | Uint8Array) => {
      writeFileSync(changed, content);
      return verifyFile(changed, undefined);
    };
    const at = fc.integer({ min: 0, max: lines.length - 1 });
    const place = fc.integer({ min: 0, max: bytes.length - 1 });
    const joined = (some: readonly string[]) => some.map((line) => `${line}\n`).join("");
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc
            .tuple(place, fc.integer({ min: 1, max: 255 }))
            .map(([i, by]) => bytes.map((b, n) => (n === i ? b ^ by : b))),
          fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([i, b]) => insert(bytes, i, b)),
          place.map((i) => bytes.filter((_, n) => n !== i)),
          place.map((i) => bytes.subarray(0, i)),
          at.map((i) => joined(lines.filter((_, n) => n !== i))),
          at.map((i) => joined(lines.toSpliced(i, 0, lines[i] ?? ""))),
          fc
            .tuple(at, at)
            .filter(([a, b]) => a !== b)
            .map(([a, b]) => joined(lines.with(a, lines[b] ?? "").with(b, lines[a] ?? ""))),
        ),
        async (content) => {
          const { ok, problems } = await look(content);
          expect([ok, problems.length > 0]).toEqual([false, true]);
        },
      ),
      fuzz(runs),
    );
    // What was dropped is there by its digest.
    await db.run("UPDATE hub_asks SET state = 'closed'");
    expect(await audit.forget(100, 200)).toEqual({ contents: 12, asks: 4 });
    expect(await verifyRecords(audit, head, 300)).toMatchObject({ ok: true, events: events + 1 });
    await exportAudit(audit, out, 300);
    expect((await readFile(out, "utf8")).includes("nobody waits")).toBe(false);
    expect(await verifyFile(out, head)).toMatchObject({ ok: true, events: events + 1, problems: [] });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function insert(bytes: Uint8Array, i: number, byte: number): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, i), byte, ...bytes.subarray(i)]);
}
