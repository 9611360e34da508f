import { expect } from "bun:test";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import { mayGiveTask } from "../../src/core/hub-role.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";

const TOKEN = "t".repeat(64);
const SECOND = "u".repeat(64);

/** Work given, told, taken back and received, on whichever engine. */
export async function workIsGiven(db: HubDatabase): Promise<void> {
  const records = createHubRecords(db);
  await records.audit.begin(1);
  for (const n of [1, 2]) {
    await records.addCode(`code${n}`, 1000, 2);
    await records.join(`code${n}`, { id: `m${n}`, name: `M${n}`, token: `mt${n}`, projects: ["/a"] }, 3);
    await records.connect(`mt${n}`, `link${n}`, 4);
  }
  const token = { project: null, expiresAt: null };
  await records.addToken({ ...token, hash: TOKEN, id: "ann", name: "Ann", role: "approver" }, 5);
  await records.addToken({ ...token, hash: SECOND, id: "bob", name: "Bob", role: "answerer" }, 5);
  const may = ({ grants }: { grants: readonly never[] }) => mayGiveTask(grants, "site");
  const put = (id: string, more: object = {}) =>
    records.putTask(
      { id, key: id, machine: "m1", project: "site", prompt: "do", title: null, token: TOKEN, ...more },
      may as never,
      6,
    );
  // Nobody said that it takes work, or somebody who may not gives it: nothing is kept.
  expect(await put("a")).toEqual({ type: "gone" });
  expect(await records.takeOffers("link1", ["site", "site"], 6)).toBe(true);
  expect(await records.takeOffers("no link", ["site"], 6)).toBe(false);
  expect(await records.offers()).toMatchObject([{ machine: { id: "m1" }, projects: ["site"] }]);
  expect(await put("a", { token: SECOND })).toEqual({ type: "refused" });
  expect(await put("a", { machine: "m2" })).toEqual({ type: "gone" });
  expect(await records.tasks({ projects: null, limit: 10 })).toEqual([]);
  // At once and again with the same key: one. With other words: refused.
  const same = await Promise.all([put("a"), put("a2", { key: "a" }), put("a3", { key: "a" })]);
  const ids = new Set(same.map((each) => (each.type === "put" ? each.task.id : each.type)));
  expect(ids.size).toBe(1);
  const [first = ""] = ids;
  expect(await put("b", { key: "a", prompt: "other" })).toEqual({ type: "other" });
  await put("b");
  await put("c");
  expect((await records.tasks({ projects: ["site"], limit: 10 })).length).toBe(3);
  expect(await records.tasks({ projects: ["other"], limit: 10 })).toEqual([]);
  expect(await records.tasks({ projects: null, limit: 10, like: "b" })).toMatchObject([{ id: "b", name: "Ann" }]);
  // Not told yet: taken back here. Told: its machine says what became of it.
  const back = (id: string, by = TOKEN) =>
    records.takeTaskBack({ id, machine: "m1", token: by }, (who) => who.member === "ann", 7);
  expect(await back("b", SECOND)).toBe("refused");
  expect(await back("b")).toBe("withdrawn");
  const told = await records.unsettledTasks("m1", 0);
  expect([told.tasks.map(({ id }) => id), told.upTo]).toEqual([[first, "c"], 3]);
  expect(await back("c")).toBe("asked");
  expect(await records.takeBacks()).toMatchObject([{ machine: "m1", n: 3, ask: null, task: "c" }]);
  // Another machine says nothing about it; the first receipt of its own holds.
  const receipt = (link: string, id: string, state: string, task: string | null = null) =>
    records.takeTaskReceipt(link, { id, state, task, detail: null }, 8);
  expect(await receipt("link2", first, "received", "forged")).toBe(true);
  expect(await receipt("link1", first, "received", "t1")).toBe(true);
  expect(await receipt("link1", first, "refused")).toBe(true);
  expect(await receipt("link1", "c", "withdrawn")).toBe(true);
  expect(await receipt("no link", "c", "received")).toBe(false);
  const all = await records.tasks({ projects: null, limit: 10 });
  const states = Object.fromEntries(all.map(({ id, state, task }) => [id, `${state} ${task}`]));
  expect(states).toEqual({ [first]: "received t1", b: "withdrawn null", c: "withdrawn null" });
  expect(await back(first)).toBe("none");
  expect(await records.takeBacks()).toEqual([]);
  expect(await verifyRecords(records.audit, undefined, 9)).toMatchObject({ ok: true });
  // What was changed or invented beside the log is found; what is old is forgotten, and the log stays whole.
  await db.run("UPDATE hub_tasks SET prompt = 'rm' WHERE id = 'c'");
  expect((await verifyRecords(records.audit, undefined, 9)).problems).toMatchObject([{ kind: "record" }]);
  await records.audit.forget(100, 101);
  expect(await records.tasks({ projects: null, limit: 10 })).toEqual([]);
  expect(await verifyRecords(records.audit, undefined, 102)).toMatchObject({ ok: true });
  // Who gave it is revoked: withdrawn, or asked back from a machine that may have it.
  const third = "v".repeat(64);
  await records.addToken({ ...token, hash: third, id: "cyd", name: "Cyd", role: "approver" }, 102);
  await put("e", { token: third });
  expect((await records.unsettledTasks("m1", 3)).tasks.map(({ id }) => id)).toEqual(["e"]);
  await put("f", { token: third });
  await records.revoke("cyd", 102);
  expect(await records.tasks({ projects: null, limit: 10, like: "f" })).toMatchObject([{ state: "withdrawn" }]);
  expect(await records.takeBacks()).toMatchObject([{ machine: "m1", n: 4, task: "e" }]);
  expect((await records.unsettledTasks("m1", 4)).tasks).toEqual([]);
  expect(await receipt("link1", "e", "received", "t2")).toBe(true);
  expect(await records.tasks({ projects: null, limit: 10, like: "e" })).toMatchObject([{ state: "received" }]);
  expect(await verifyRecords(records.audit, undefined, 102)).toMatchObject({ ok: true });
  // A machine that is revoked takes nothing.
  await records.revoke("m1", 103);
  expect([await put("d"), await records.offers()]).toEqual([{ type: "gone" }, []]);
  expect(await records.takeOffers("link1", ["site"], 104)).toBe(false);
}
