import { expect, test } from "bun:test";
import type { AskEvent } from "../../../src/core/ask/event.ts";
import { ACTIVE, type AskQuery, DONE, type Store } from "../../../src/store/store.ts";
import { answered, captured, closed, create, happen, sent, settled, verified } from "../store-sample.ts";
import { idsIn, type Opened } from "./opened.ts";

export function askContract(opened: () => Opened): void {
  test("[ST8] asks are filtered by state, kind, session, project and agent", async () => {
    const { store } = opened();
    await create(store, { id: "open", origin: { session: "s1", project: "p1" } });
    await create(store, { id: "plan", kind: "plan", origin: { session: "s1", project: "p2" } });
    await create(store, { id: "settled", origin: { session: "s2", project: "p1" } });
    await create(store, { id: "verified" });
    await create(store, { id: "closed", origin: { agent: "other" } });
    await happen(store, "settled", [settled(1)]);
    await happen(store, "verified", [settled(1), sent, verified]);
    await happen(store, "closed", [closed(1)]);
    expect(await idsIn(store, { states: ["open"] })).toEqual(["open", "plan"]);
    expect(await idsIn(store, { states: ACTIVE })).toEqual(["open", "plan", "settled"]);
    expect(await idsIn(store, { states: DONE })).toEqual(["closed", "verified"]);
    expect(await idsIn(store, { kind: "plan" })).toEqual(["plan"]);
    expect(await idsIn(store, { session: "s1" })).toEqual(["open", "plan"]);
    expect(await idsIn(store, { project: "p1" })).toEqual(["open", "settled"]);
    expect(await idsIn(store, { project: "p1", session: "s1", kind: "question", states: ["open"] })).toEqual(["open"]);
    expect(await idsIn(store, { agent: "other" })).toEqual(["closed"]);
    expect(await idsIn(store, { agent: "other", states: ["open"] })).toEqual([]);
    expect(await idsIn(store, { session: "' OR 1=1 --" })).toEqual([]);
    expect([await store.count(["open"]), await store.count(DONE), await store.count(ACTIVE)]).toEqual([2, 2, 3]);
  });

  test("[LZ6] asks of several sessions come at once, in their order, and of no session none", async () => {
    const { store } = opened();
    for (const [i, session] of ["s1", "s2", "s3", "s1", undefined].entries())
      await create(store, { id: `a${i}`, at: 1000 - i, origin: session === undefined ? {} : { session } });
    await happen(store, "a1", [settled(1)]);
    expect(await idsIn(store, { sessions: ["s1", "s2"] })).toEqual(["a3", "a1", "a0"]);
    expect(await idsIn(store, { sessions: ["s1", "s2"], states: ["open"] })).toEqual(["a3", "a0"]);
    expect(await idsIn(store, { sessions: ["s1", "s2"], states: ["open"], limit: 1 })).toEqual(["a3"]);
    for (const sessions of [[], [""], ["' OR 1=1 --", '"]'], ["s4"]])
      expect(await idsIn(store, { sessions })).toEqual([]);
  });

  test("[ST9] pages in either order hold every ask once, also those of the same moment", async () => {
    const { store } = opened();
    const made = ["e", "b", "d", "a", "c", "g", "f"];
    const origin = { session: "s1", project: "p1" };
    for (const [i, id] of made.entries()) await create(store, { id, at: i < 5 ? 1000 : 900, origin });
    const oldest = ["f", "g", "a", "b", "c", "d", "e"];
    for (const filter of [{}, { session: "s1" }, { project: "p1" }, { states: ["open"] }] as AskQuery[]) {
      expect(await paged(store, { ...filter, order: "oldest" })).toEqual(oldest);
      expect(await paged(store, { ...filter, order: "newest" })).toEqual(oldest.toReversed());
    }
    expect(await idsIn(store, { order: "newest", limit: 2, after: "c" })).toEqual(["b", "a"]);
  });

  test("[VB12] by when they were settled, the last one first, page by page; open ones are left out", async () => {
    const { store } = opened();
    for (const id of ["a", "b", "c", "d", "open"]) await create(store, { id });
    for (const [i, id] of ["c", "a", "d", "b"].entries()) await happen(store, id, [closed(1)], 5000 + Math.min(i, 2));
    expect(await paged(store, { order: "settled" })).toEqual(["d", "b", "a", "c"]);
    expect(await paged(store, { order: "settled", states: DONE })).toEqual(["d", "b", "a", "c"]);
    expect(await idsIn(store, { order: "settled", limit: 2, after: "b" })).toEqual(["a", "c"]);
  });

  test("[ST10] a prefix finds at most ten ids, and is no pattern", async () => {
    const { store } = opened();
    for (let i = 0; i < 12; i++) await create(store, { id: `ab${String(i).padStart(2, "0")}` });
    for (const id of ["a", "ac1", "AB1", "é1"]) await create(store, { id });
    expect(await store.idsLike("ab0")).toEqual(Array.from({ length: 10 }, (_, i) => `ab0${i}`));
    expect(await store.idsLike("ab1")).toEqual(["ab10", "ab11"]);
    expect(await store.idsLike("ab")).toHaveLength(10);
    expect(await store.idsLike("é")).toEqual(["é1"]);
    for (const none of ["x", "%", "_", "ab%", "a_1", "'"]) expect(await store.idsLike(none)).toEqual([]);
  });

  test("[ST13] fields this version does not know survive, in asks and in the log", async () => {
    const { store } = opened();
    const event = captured() as AskEvent & { type: "ask.captured" };
    const question = {
      ...event.questions[0]!,
      weight: 3,
      options: [{ label: "A", description: "", recommended: false, icon: "✦" }],
    };
    const later = {
      ...event,
      questions: [question],
      origin: { agent: "script", host: { name: "h" } },
      extra: [1, null],
    };
    const outcome = { ...answered(2), confidence: 0.5, answers: [{ picks: [0], why: "because" }] };
    await store.append({ at: 1, ask: { id: "a", expected: 0, events: [later, { type: "ask.settled", outcome }] } });
    expect(await store.ask("a")).toMatchObject({ questions: [question], origin: later.origin, outcome });
    expect((await store.events({ ask: "a" })).map(({ data }) => data)).toEqual([
      later,
      { type: "ask.settled", outcome },
    ]);
  });

  test("[IN1] a draft is kept for its Ask, replaced, forgotten, and is no event", async () => {
    const { store } = opened();
    const draft = (text: string) => ({
      by: "inbox",
      at: 7,
      draft: { current: 0, entries: [{ picks: [1], other: true, text, note: "n" }] },
    });
    for (const id of ["a", "b"]) await create(store, { id });
    const seq = await store.lastSeq();
    expect([await store.saveDraft("a", draft("first")), await store.saveDraft("a", draft("second"))]).toEqual([
      true,
      true,
    ]);
    expect([await store.draft("a"), await store.draft("b")]).toEqual([draft("second"), undefined]);
    expect([await store.lastSeq(), (await store.ask("a"))?.version]).toEqual([seq, 1]);
    expect(await store.saveDraft("a", undefined)).toBe(true);
    expect(await store.draft("a")).toBeUndefined();
    expect(await store.saveDraft("ghost", draft("x"))).toBe(false);
    expect(await store.draft("ghost")).toBeUndefined();
  });

  test("[SX6] a page ends before it gets larger than it may, and has one Ask at least", async () => {
    const { store } = opened();
    for (const id of ["a", "b", "c"]) await create(store, { id, origin: { lastText: "x".repeat(1000) } });
    const size = JSON.stringify(await store.ask("a")).length;
    expect(await idsIn(store, { maxBytes: 1 })).toEqual(["a"]);
    expect(await idsIn(store, { maxBytes: 2 * size + 1 })).toEqual(["a", "b"]);
    expect(await idsIn(store, { maxBytes: 2 * size + 1, order: "newest" })).toEqual(["c", "b"]);
    expect(await idsIn(store, { maxBytes: 2 * size + 1, limit: 1 })).toEqual(["a"]);
    expect(await idsIn(store, { maxBytes: 9 * size, limit: 0 })).toEqual([]);
  });
}

async function paged(store: Store, query: AskQuery): Promise<string[]> {
  const page = await idsIn(store, { ...query, limit: 3 });
  const last = page.at(-1);
  return last === undefined ? [] : [...page, ...(await paged(store, { ...query, after: last }))];
}
