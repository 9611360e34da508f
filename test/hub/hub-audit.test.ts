import { expect, setDefaultTimeout, test } from "bun:test";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { TEST_MS } from "../patience.ts";
import {
  everyFileChangeIsFound,
  everyRowChangeIsFound,
  keptHeadShowsIt,
  wholeWhileOthersWrite,
} from "./audit-cases.ts";
import { openStage, shown } from "./hub-stage.ts";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(TEST_MS);

test("[HA1] any change of a row of the hub's log, or of what is kept beside it, is found: embedded", async () => {
  await everyRowChangeIsFound(openHubSqlite(":memory:"), 150);
});

test("[HA2] what the log alone cannot show, an end cut off or a chain written anew, the kept head shows: embedded", async () => {
  await keptHeadShowsIt(openHubSqlite(":memory:"));
});

test("[HA3] any change of a byte or line of an exported log is found, and dropped contents still verify: embedded", async () => {
  await everyFileChangeIsFound(openHubSqlite(":memory:"), 400);
});

test("[HX1] a log is whole while others write, whatever is written between any two steps of who verifies it: embedded", async () => {
  const dir = mkdtempSync(join(tmpdir(), "parley-audit-"));
  const [db, other] = [openHubSqlite(join(dir, "hub.db")), openHubSqlite(join(dir, "hub.db"))];
  try {
    await wholeWhileOthersWrite(db, other);
  } finally {
    await Promise.all([db.close(), other.close()]);
    rmSync(dir, { recursive: true, force: true });
  }
});

test("[HA4] by command: exported, verified, and with the head of before a log that was cut is found, exit 1", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "answerer");
  const { machine: joined } = await stage.join(hub);
  const asked = await stage.ask("Deploy?");
  await shown(ann.client, asked.id, { state: "open" });
  await ann.client.answer(asked.id, { action: "answer", answers: [{ picks: [1] }] });
  await asked.ended;
  await shown(ann.client, asked.id, { intent: { state: "received" } });
  await stage.admin("revoke", "Ann");
  const [out, head] = [join(machine.root, "log.jsonl"), join(machine.root, "head.json")];
  const made = await stage.admin("audit", "export", "--out", out, "--head", head);
  const lines = readFileSync(out, "utf8").trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line));
  expect(events.map(({ kind }) => kind)).toEqual([
    "log.began",
    "member.added",
    "token.made",
    "code.made",
    "machine.joined",
    "ask.answered",
    "intent.received",
    "member.revoked",
  ]);
  expect(events[5]).toMatchObject({
    by: events[1].facts.record.split(" ")[1],
    facts: { machine: joined.id, ask: asked.id },
  });
  expect(await stage.admin("audit", "verify", "--head", head)).toMatchObject({ ok: true, events: 8, problems: [] });
  expect(await stage.admin("audit", "verify", out)).toEqual({ ok: true, events: 8, head: made.head, problems: [] });
  const cut = join(machine.root, "cut.jsonl");
  writeFileSync(cut, lines.slice(0, -1).join("\n") + "\n");
  // As what a verification printed, the head is as good.
  writeFileSync(head, JSON.stringify(await stage.admin("audit", "verify")));
  const found = await machine.parley(["hub", "audit", "verify", cut, "--head", head, "--json"]);
  expect([found.code, JSON.parse(found.out)]).toMatchObject([
    1,
    { ok: false, events: 7, problems: [{ seq: 8, kind: "cut" }] },
  ]);
});
