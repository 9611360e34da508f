import { expect, test } from "bun:test";
import {
  captured,
  closed,
  create,
  happen,
  proposed,
  seen,
  sent,
  settled,
  taskCreated,
  verified,
} from "../store-sample.ts";
import { idsIn, type Opened, typesIn } from "./opened.ts";

export function pruneContract(opened: () => Opened): void {
  test("[ST15] prune removes what is done and old, with its events and keys, and nothing else", async () => {
    const { store } = opened();
    const old = 1000;
    const once = { key: "k", digest: "d" };
    await store.append({ at: old, ask: { id: "closed", expected: 0, events: [captured(), closed(old)] }, once });
    await store.append({ at: old, session: seen("s1") });
    await create(store, { id: "open", at: old });
    for (const id of ["settled", "delivered", "recent", "verified"]) await create(store, { id, at: old });
    await happen(store, "settled", [settled(old)], old);
    await happen(store, "delivered", [settled(old), sent], old);
    await happen(store, "recent", [closed(5000)], 5000);
    await happen(store, "verified", [settled(old), sent, verified], old);
    const last = await store.lastSeq();
    expect(await store.prune(5000)).toBe(2);
    expect((await idsIn(store, {})).toSorted()).toEqual(["delivered", "open", "recent", "settled"]);
    expect([await typesIn(store, "closed"), await typesIn(store, "verified"), await store.used("k")]).toEqual([
      [],
      [],
      undefined,
    ]);
    expect(await typesIn(store, "open")).toEqual(["ask.captured"]);
    expect(await store.lastSeq()).toBe(Math.max(...(await store.events({})).map(({ seq }) => seq)));
    expect(await store.session("s1")).toBeDefined();
    expect(await store.prune(5000)).toBe(0);
    const again = await store.append({ at: 6000, ask: { id: "new", expected: 0, events: [captured()] }, once });
    expect(again.type).toBe("done");
    // A number is never given twice: somebody may have read up to it.
    expect((await store.events({ ask: "new" }))[0]?.seq).toBeGreaterThan(last);
  });

  test("[PF1] prune removes sessions that ended before, once no Ask is about them, and nothing else", async () => {
    const { store } = opened();
    const ended = { type: "session.ended" as const, reason: "exit" };
    for (const id of ["over", "asked", "recent", "live"])
      await store.append({
        at: 1000,
        session: { id, events: [...seen(id).events, ...(id === "live" ? [] : [ended])] },
      });
    await store.append({ at: 6000, session: { id: "recent", events: [ended] } });
    await create(store, { id: "open", origin: { session: "asked" } });
    await create(store, { id: "closed", origin: { session: "over" }, more: [closed(1000)] });
    expect(await store.prune(5000)).toBe(1);
    const left = (await store.sessions({})).map(({ id }) => id).toSorted();
    expect(left).toEqual(["asked", "live", "recent"]);
    expect(new Set((await store.events({})).map(({ session }) => session))).toEqual(new Set(left));
  });

  test("[PF2] what is asked while much is pruned does not wait for the end of it", async () => {
    const { store } = opened();
    const many = Array.from({ length: 1000 }, (_, i) => create(store, { id: `old${i}`, more: [closed(1000)] }));
    await Promise.all(many);
    const order: string[] = [];
    const pruned = store.prune(5000).then((count) => order.push(`pruned ${count}`));
    await create(store, { id: "new" }).then(() => order.push("asked"));
    await pruned;
    expect(order).toEqual(["asked", "pruned 1000"]);
    expect(await idsIn(store, {})).toEqual(["new"]);
  });

  test("[IN2] a draft outlives the settlement and goes with its Ask", async () => {
    const { store } = opened();
    const kept = { by: "web", at: 1, draft: { current: 0, entries: [] } };
    for (const id of ["old", "open"]) await create(store, { id });
    for (const id of ["old", "open"]) await store.saveDraft(id, kept);
    await happen(store, "old", [settled(1000), sent, verified], 1000);
    expect(await store.draft("old")).toEqual(kept);
    expect(await store.prune(5000)).toBe(1);
    expect([await store.draft("old"), await store.draft("open")]).toEqual([undefined, kept]);
  });

  test("[SX8] prune keeps what was settled at the very time, tasks with their events, and what was counted", async () => {
    const { store } = opened();
    await create(store, { id: "then", more: [closed(5000)], at: 5000 });
    await create(store, { id: "before", more: [proposed("held"), closed(4999)], at: 4999, origin: { session: "s1" } });
    const events = [taskCreated(), { type: "task.ended" as const, state: "done" as const }];
    await store.append({ at: 1, task: { id: "t", expected: 0, events } });
    expect(await store.prune(5000)).toBe(1);
    expect(await idsIn(store, {})).toEqual(["then"]);
    expect((await store.task("t"))?.state).toBe("done");
    expect((await store.events({ task: "t" })).map(({ type }) => type)).toEqual(["task.created", "task.ended"]);
    expect([await store.spent({ session: "s1" }), (await store.agreements()).length]).toEqual([1, 1]);
  });
}
