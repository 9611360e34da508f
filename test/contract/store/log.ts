import { expect, test } from "bun:test";
import { MOST_BYTES, type Store } from "../../../src/store/store.ts";
import { create, settled } from "../store-sample.ts";
import type { Opened } from "./opened.ts";

export function logContract(opened: () => Opened): void {
  test("[ST12] the log is read from any point, of one Ask, or from its end", async () => {
    const { store } = opened();
    for (const id of ["a", "b", "a2", "b2"]) await create(store, { id, more: [settled(1)] });
    const all = (await store.events({})).map(({ seq }) => seq);
    const seqs = async (query: Parameters<Store["events"]>[0]) => (await store.events(query)).map(({ seq }) => seq);
    expect(all).toEqual(all.toSorted((x, y) => x - y));
    expect(new Set(all).size).toBe(8);
    expect(await seqs({ after: all[2] ?? 0 })).toEqual(all.slice(3));
    expect(await seqs({ after: all[2] ?? 0, limit: 2 })).toEqual(all.slice(3, 5));
    expect(await seqs({ ask: "b" })).toEqual(all.slice(2, 4));
    expect(await seqs({ ask: "b", after: all[2] ?? 0 })).toEqual(all.slice(3, 4));
    expect(await seqs({ newest: true, limit: 3 })).toEqual(all.slice(-3));
    expect(await seqs({ newest: true, limit: 1, ask: "a" })).toEqual(all.slice(1, 2));
    expect(await seqs({ newest: true, after: all[6] ?? 0 })).toEqual(all.slice(7));
    expect(await seqs({ after: 1e9 })).toEqual([]);
    expect(await store.lastSeq()).toBe(all.at(-1) ?? -1);
  });

  test("[SX7] what is read of the log at once is bounded by its size, from either end, and is one event at least", async () => {
    const { store } = opened();
    const third = { lastText: "x".repeat(MOST_BYTES / 3) };
    for (const id of ["a", "b", "c"]) await create(store, { id, origin: third });
    await create(store, { id: "giant", origin: { lastText: "x".repeat(MOST_BYTES) } });
    const asks = async (query: Parameters<Store["events"]>[0]) =>
      (await store.events(query)).map(({ ask }) => ask ?? "");
    expect(await asks({})).toEqual(["a", "b"]);
    expect(await asks({ after: 2 })).toEqual(["c"]);
    expect(await asks({ after: 3 })).toEqual(["giant"]);
    expect(await asks({ newest: true })).toEqual(["giant"]);
  });
}
