import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { answerText, approvalText, shownText } from "../../src/core/hub-approval.ts";
import { verifyRecords } from "../../src/hub/audit/audit.ts";
import type { HubAskView } from "../../src/protocol/hub/hub.ts";
import type { HubDatabase } from "../../src/store/hub/schema.ts";
import type { Shown } from "./hostile-hub.ts";
import { openInside } from "./hub-inside.ts";
import type { softPasskey } from "./soft-passkey.ts";

export type Device = ReturnType<typeof softPasskey>;
export const YES = { action: "answer" as const, answers: [{ picks: [0] }] };
export const NO = { action: "answer" as const, answers: [{ picks: [1] }] };
export const SIGNED = { id: "p1", two: false, signed: true, project: null, kind: null, stake: null };

const hex = (text: string) => createHash("sha256").update(text).digest("hex");
/** What a device says when a page asks it to sign this. */
export function sign(device: Device, machine: string, ask: Shown, answer: typeof YES) {
  const parts = { machine, ask: ask.id, shown: hex(shownText(ask)), answer: hex(answerText(answer)) };
  return device.get({ challenge: createHash("sha256").update(approvalText(parts)).digest("base64url") });
}

/** Answers that were sent with signatures, of one and of two: whatever is changed of what stands behind them is named. */
export async function signedChoicesAreCompared(database: HubDatabase): Promise<void> {
  await using inside = await openInside(database);
  const { records, machine, hub } = inside;
  await records.audit.begin(Date.now());
  const people = [await inside.register(await inside.first(), "Ada")];
  people.push(await inside.register(await inside.invite("Bob", "approver")));
  const [ada, bob] = await Promise.all(
    people.map(async ({ device, entered }) => ({ device, headers: await inside.headersOf(entered) })),
  );
  if (!ada || !bob) throw new Error("nobody is there");
  await records.addPolicy({ ...SIGNED, kind: "approval" }, Date.now());
  await records.addPolicy({ ...SIGNED, id: "p2", two: true, kind: "plan" }, Date.now());
  const [one, two] = [await inside.ask("approval"), await inside.ask("plan")];
  for (const [id, who] of [
    [one, ada],
    [two, ada],
    [two, bob],
  ] as const) {
    const reply = await fetch(`${hub.url}/api/asks/${id}`, { headers: who.headers });
    const signature = sign(who.device, machine.id, (await reply.json()) as HubAskView, YES);
    expect((await inside.post(`/api/asks/${id}/answer`, { ...YES, signature }, who.headers)).status).toBe(200);
  }
  const look = async () =>
    (await verifyRecords(records.audit, undefined, 1)).problems.map(({ kind, record }) => `${kind} ${record}`);
  expect(await look()).toEqual([]);

  const rows = await database.run<Record<string, string | number>>("SELECT * FROM hub_halves ORDER BY ask, member");
  expect(rows.map(({ ask, n }) => [ask, n])).toEqual([
    [one, 1],
    [two, 2],
    [two, 2],
  ]);
  const other = JSON.stringify(NO);
  for (const { machine: of, ask, member, n, ...was } of rows) {
    const place = "WHERE ask = $1 AND member = $2";
    const put = (column: string, value: unknown) =>
      database.run(`UPDATE hub_halves SET ${column} = $3 ${place}`, [ask, member, value] as never);
    const named = [`record half ${of} ${ask} ${member} ${n}`];
    const signed = JSON.parse(String(was["signed"])) as { passkey: string; response: object };
    for (const [column, value] of [
      ["settlement", other],
      ["answer", hex(answerText(NO))],
      ["shown", "another"],
      ["signed", null],
      ["signed", "no JSON"],
      ["signed", JSON.stringify({ ...signed, passkey: "another" })],
      ["signed", JSON.stringify({ ...signed, response: {} })],
    ] as const) {
      await put(column, value);
      expect([column, value, await look()]).toEqual([column, value, named]);
      await put(column, was[column]);
    }
    await database.run(`DELETE FROM hub_halves ${place}`, [ask, member] as never);
    expect(await look()).toEqual(named);
    const { key, at, settlement, shown, answer, signed: proof } = was;
    await database.run("INSERT INTO hub_halves VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
      of,
      ask,
      member,
      n,
      key,
      at,
      settlement,
      shown,
      answer,
      proof,
    ] as never);
    expect(await look()).toEqual([]);
  }

  // What was written is dropped, with what stands behind answers that are over: nothing is missing.
  for (const n of [1, 2])
    await records.takeReceipt("a-link-of-this-test", { n, state: "received", detail: null }, Date.now());
  await inside.settle(one);
  const later = Date.now() + 1000;
  expect(await records.audit.forget(later, later)).toMatchObject({ asks: 1 });
  expect(await look()).toEqual([]);
  // Of the other one the digests remain.
  await database.run("UPDATE hub_halves SET settlement = $1", [other]);
  expect(await look()).toHaveLength(2);
  await inside.settle(two);
  expect(await records.audit.forget(later, later)).toMatchObject({ asks: 1 });
  expect(await database.run("SELECT n FROM hub_halves")).toEqual([]);
  expect(await look()).toEqual([]);
}
