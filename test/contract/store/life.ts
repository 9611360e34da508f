import { expect, test } from "bun:test";
import type { Store } from "../../../src/store/store.ts";
import { captured, create, proposed, seen, sent, settled, taskCreated, verified } from "../store-sample.ts";
import { idsIn, type Opened } from "./opened.ts";

export function lifeContract(opened: () => Opened): void {
  test("[ST19] a sound store has no problems, and one that is closed takes nothing", async () => {
    const { store } = opened();
    await create(store, { id: "a", more: [settled(1)] });
    expect(await store.problems()).toEqual([]);
    const waiting = create(store, { id: "b" });
    await store.close();
    expect((await waiting).type).toBe("done");
    expect(await create(store, { id: "c" }).catch(String)).toBe("Error: the store is closed");
    await store.close();
  });

  test("[SX9] an empty store answers with nothing", async () => {
    const { store } = opened();
    expect([await store.list({}), await store.tasks({}), await store.sessions({}), await store.events({})]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect([await store.count(["open"]), await store.busyTasks(), await store.lastSeq()]).toEqual([0, 0, 0]);
    expect([await store.nextTasks(5), await store.agreements(), await store.precedents("p", ["k"], 5)]).toEqual([
      [],
      [],
      [],
    ]);
    expect([await store.prune(1e15), await store.keyPrecedents(), await store.spent({ since: 0 })]).toEqual([0, 0, 0]);
  });
}

/** Only for what outlives its process. */
export function reopenContract(opened: () => Opened): void {
  test("[ST16] everything is there after it was closed and opened again", async () => {
    const { store, reopen } = opened();
    const once = { key: "k", digest: "d" };
    const event = { ...captured("question", { project: "p", host: { name: "h" } }), extra: [1, null] };
    await store.append({ at: 1, ask: { id: "a", expected: 0, events: [event] }, session: seen("s1"), once });
    await create(store, { id: "b", more: [proposed("held"), settled(1), sent, verified] });
    await store.append({ at: 1, task: { id: "t", expected: 0, events: [taskCreated()] } });
    await store.saveDraft("a", { by: "inbox", at: 7, draft: { current: 0, entries: [] } });
    const before = await allIn(store);
    const again = await reopen();
    expect(await allIn(again)).toEqual(before);
    const next = await again.append({ at: 2, ask: { id: "a", expected: 1, events: [settled(2)] } });
    expect(next).toMatchObject({ type: "done", ask: { version: 2 } });
  });

  test("[SX10] what was taken before it was closed is there afterwards, and its number is not given again", async () => {
    const { store, reopen } = opened();
    await create(store, { id: "a" });
    const waiting = create(store, { id: "b", more: [settled(1), sent, verified] });
    await store.close();
    await waiting;
    const again = await reopen();
    expect(await idsIn(again, {})).toEqual(["a", "b"]);
    await again.prune(1e15);
    expect(await again.lastSeq()).toBe(1);
    await create(await reopen(), { id: "c" });
    expect((await opened().store.events({})).map(({ seq }) => seq)).toEqual([1, 6]);
  });
}

async function allIn(store: Store): Promise<unknown[]> {
  return [
    await store.list({}),
    await store.events({}),
    await store.sessions({}),
    await store.tasks({}),
    await store.nextTasks(9),
    await store.used("k"),
    await store.draft("a"),
    await store.lastSeq(),
    await store.agreements(),
    await store.spent({ since: 0 }),
  ];
}
