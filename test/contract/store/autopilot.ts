import { expect, test } from "bun:test";
import type { AskEvent } from "../../../src/core/ask/event.ts";
import { keysOf } from "../../../src/core/autopilot/ladder/precedent.ts";
import type { Store } from "../../../src/store/store.ts";
import {
  answered,
  captured,
  closed,
  create,
  happen,
  opined,
  proposed,
  sent,
  settled,
  verified,
} from "../store-sample.ts";
import type { Opened } from "./opened.ts";

const keys = keysOf(captured() as AskEvent & { type: "ask.captured" });
const shop = { project: "shop" };
const rule = { type: "rule" as const, surface: "autopilot", name: "r" };
const found = async (store: Store, limit = 10) => (await store.precedents("shop", keys, limit)).map(({ id }) => id);

export function autopilotContract(opened: () => Opened): void {
  test("[AU32] what people answered is found by what was asked, in this project, newest first", async () => {
    const { store } = opened();
    for (const [i, id] of ["a", "b", "c"].entries()) await create(store, { id, origin: shop, more: [settled(10 + i)] });
    await create(store, { id: "other", origin: { project: "else" }, more: [settled(9)] });
    await create(store, { id: "open", origin: shop });
    await create(store, { id: "gone", origin: shop, more: [closed(9)] });
    const outcome = { type: "answered" as const, actor: rule, at: 9, answers: [{ picks: [0] }] };
    await create(store, { id: "ruled", origin: shop, more: [{ type: "ask.settled", outcome }] });
    expect(await found(store)).toEqual(["c", "b", "a"]);
    expect(await found(store, 2)).toEqual(["c", "b"]);
    await happen(store, "b", [sent, verified]);
    await store.prune(Date.now() * 2);
    expect(await found(store)).toEqual(["c", "a"]);
  });

  test("[SX18] a precedent is found by each of its keys, once, as its Ask is now", async () => {
    const { store } = opened();
    await create(store, { id: "a", origin: shop, more: [settled(10)] });
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) expect((await store.precedents("shop", [key], 5)).map(({ id }) => id)).toEqual(["a"]);
    await happen(store, "a", [sent]);
    expect(await store.precedents("shop", keys, 5)).toMatchObject([{ id: "a", state: "delivered" }]);
    expect([await store.precedents("shop", [], 5), await store.precedents("shop", ["x"], 5)]).toEqual([[], []]);
  });

  test("[SX19] where the agent decided otherwise, what was answered here is a precedent no longer", async () => {
    const { store } = opened();
    const overtaken = (answers: boolean): AskEvent => {
      const { answers: given, ...outcome } = answered(20, "terminal");
      return {
        type: "ask.ended",
        key: "k1",
        outcome: { ...outcome, type: "overtaken", ...(answers && { answers: given }) },
      };
    };
    await create(store, { id: "unknown", origin: shop, more: [settled(10), sent] });
    await create(store, { id: "moved", origin: shop, more: [settled(11), sent] });
    await create(store, { id: "between", origin: shop, more: [settled(15)] });
    expect(await found(store)).toEqual(["between", "moved", "unknown"]);
    await happen(store, "unknown", [overtaken(false)]);
    await happen(store, "moved", [overtaken(true)]);
    expect(await found(store)).toEqual(["moved", "between"]);
  });

  test("[AU34] budget and agreement are counted in the store", async () => {
    const { store } = opened();
    const in1 = { ...shop, session: "s1" };
    await create(store, { id: "held", at: 1000, origin: in1, more: [proposed("held")] });
    await create(store, { id: "shown", at: 1000, origin: in1, more: [proposed("suggested"), settled(11)] });
    await create(store, { id: "else", at: 5000, origin: { session: "s2" }, more: [proposed("held")] });
    expect([await store.spent({ session: "s1" }), await store.spent({ session: "s2" })]).toEqual([1, 1]);
    expect([await store.spent({ since: 0 }), await store.spent({ since: 5000 })]).toEqual([2, 1]);
    expect(await store.agreements()).toEqual([
      { decider: "rule r", result: "agreed", count: 1 },
      { decider: "rule r", result: "open", count: 2 },
    ]);
  });

  test("[SX20] what was spent stays spent, from the first moment on, and each Ask counts once, as it is now", async () => {
    const { store } = opened();
    const origin = { ...shop, session: "s1" };
    await create(store, { id: "a", at: 1000, origin, more: [proposed("suggested")] });
    expect(await store.spent({ session: "s1" })).toBe(0);
    await happen(store, "a", [proposed("held", "z")], 2000);
    await happen(store, "a", [proposed("suggested")], 3000);
    expect([await store.spent({ session: "s1" }), await store.spent({ since: 1000 })]).toEqual([1, 1]);
    expect(await store.spent({ since: 1001 })).toBe(0);
    expect(await store.agreements()).toEqual([{ decider: "rule r", result: "open", count: 1 }]);
    const answers = [{ picks: [1] }];
    await happen(store, "a", [{ type: "ask.settled", outcome: { ...answered(4000), answers } }], 4000);
    await create(store, { id: "b", origin, more: [proposed("suggested", "a"), closed(1)] });
    expect(await store.agreements()).toEqual([
      { decider: "rule a", result: "ended", count: 1 },
      { decider: "rule r", result: "differed", count: 1 },
    ]);
  });

  test("[TU14] the ledger of trust follows from the Asks: each as it is now, newest first, and gone with it", async () => {
    const { store } = opened();
    const rule = "rule r#1";
    const key = { project: "shop", decider: rule, question: "q" };
    const marked = async (limit = 9) => (await store.marks(key, limit)).map(({ ask, result }) => `${ask} ${result}`);
    const origin = { ...shop, session: "s1" };
    await create(store, { id: "a", origin, more: [opined(rule)] });
    expect(await marked()).toEqual(["a open"]);
    await happen(store, "a", [settled(2000)]);
    const other = { ...answered(3000), answers: [{ picks: [1] }] };
    await create(store, { id: "b", origin, more: [opined(rule), { type: "ask.settled", outcome: other }] });
    await create(store, { id: "c", origin, more: [opined("precedent"), settled(4000)] });
    await create(store, { id: "d", origin: { session: "s1" }, more: [opined(rule), settled(5000)] });
    expect(await marked()).toEqual(["b differed", "a equal"]);
    expect(await marked(1)).toEqual(["b differed"]);
    expect(await store.marks({ ...key, question: "" }, 9)).toHaveLength(2);
    expect(await store.marks({ ...key, project: "else" }, 9)).toEqual([]);
    expect((await store.trusted(9)).map(({ decider, question, ask }) => [decider, question, ask])).toEqual([
      ["precedent", "q", "c"],
      [rule, "", "b"],
      [rule, "q", "b"],
    ]);
    await happen(store, "b", [sent, verified]);
    await store.prune(Date.now() * 2);
    expect(await marked()).toEqual(["a equal"]);
  });

  test("[TU15] what a person says afterwards, or about one trust alone, is in the ledger as said", async () => {
    const { store } = opened();
    const by = { type: "rule" as const, surface: "autopilot", name: "r" };
    const actor = { type: "person" as const, surface: "cli" };
    const decider = "rule r#1";
    const outcome = { ...answered(2000), actor: by };
    await create(store, { id: "a", origin: shop, more: [opined(decider, "held"), { type: "ask.settled", outcome }] });
    const review: AskEvent = { type: "ask.reviewed", verdict: "corrected", actor, message: "The other one" };
    await happen(store, "a", [review], 3000);
    await happen(store, "a", [{ type: "ask.reviewed", verdict: "withdrawn", actor, decider, question: "q" }], 4000);
    const results = async (question: string) =>
      (await store.marks({ project: "shop", decider, question }, 9)).map(({ at, result }) => [at, result]);
    expect(await results("q")).toEqual([
      [4000, "withdrawn"],
      [3000, "corrected"],
      [2000, "sent"],
    ]);
    expect(await results("")).toEqual([
      [3000, "corrected"],
      [2000, "sent"],
    ]);
  });
}
