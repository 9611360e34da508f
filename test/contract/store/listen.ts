import { expect, test } from "bun:test";
import type { LogEvent } from "../../../src/core/ask/event.ts";
import { captured, create, seen, settled } from "../store-sample.ts";
import type { Opened } from "./opened.ts";

export function listenContract(opened: () => Opened): void {
  test("[ST6] listeners hear committed events in the order of the log, before append resolves", async () => {
    const { store } = opened();
    const heard: LogEvent[] = [];
    const off = store.onCommit((events) => heard.push(...events));
    const names = Array.from({ length: 30 }, (_, i) => `a${i}`);
    const heardInTime = await Promise.all(
      names.map(async (id) => {
        await create(store, { id });
        return heard.some((event) => event.ask === id);
      }),
    );
    expect(heardInTime).toEqual(names.map(() => true));
    expect(heard.map((event) => event.ask ?? "")).toEqual(names);
    expect(heard).toEqual(await store.events({}));
    off();
    await create(store, { id: "unheard" });
    expect(heard.length).toBe(names.length);
  });

  test("[ST7] a conflict and a replay are not heard", async () => {
    const { store } = opened();
    await store.append({
      at: 1,
      ask: { id: "a", expected: 0, events: [captured()] },
      once: { key: "k", digest: "d" },
    });
    let heard = 0;
    store.onCommit((events) => (heard += events.length));
    await store.append({ at: 1, ask: { id: "a", expected: 7, events: [settled(1)] } });
    await store.append({
      at: 1,
      ask: { id: "b", expected: 0, events: [captured()] },
      once: { key: "k", digest: "d" },
    });
    expect(heard).toBe(0);
    await create(store, { id: "c" });
    expect(heard).toBe(1);
  });

  test("[SX5] every listener hears each event once, in the order of the log, also of what a listener appends", async () => {
    const { store } = opened();
    const heard: LogEvent[][] = [[], []];
    let later: Promise<unknown> | undefined;
    store.onCommit((events) => {
      heard[0]?.push(...events);
      later ??= create(store, { id: "later" });
    });
    store.onCommit((events) => heard[1]?.push(...events));
    const changes = [
      create(store, { id: "a", more: [settled(1)] }),
      store.append({ at: 2, session: seen("s1") }),
      create(store, { id: "b" }),
    ];
    const order: number[] = [];
    await Promise.all(changes.map((change, i) => change.then(() => order.push(i))));
    await later;
    await create(store, { id: "last" });
    expect(order).toEqual([0, 1, 2]);
    expect(heard[0]?.map(({ ask = "", type }) => [ask, type])).toEqual([
      ["a", "ask.captured"],
      ["a", "ask.settled"],
      ["", "session.seen"],
      ["b", "ask.captured"],
      ["later", "ask.captured"],
      ["last", "ask.captured"],
    ]);
    expect(heard[1]).toEqual(heard[0] ?? []);
    expect(await store.events({})).toEqual(heard[0] ?? []);
  });
}
