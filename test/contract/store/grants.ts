import { expect, test } from "bun:test";
import { applyGrantEvent, type Grant, type GrantEvent } from "../../../src/core/grant/grant.ts";
import { captured } from "../store-sample.ts";
import type { Opened } from "./opened.ts";

export const givenGrant = (grant: string, end: Grant["end"] = { calls: 2 }): GrantEvent => ({
  type: "grant.given",
  grant,
  pattern: { type: "command", text: "npm test" },
  folder: "/shop",
  end,
  by: { type: "person", surface: "cli" },
});

export function grantContract(opened: () => Opened): void {
  test("[GR16] grants are the fold of their events; a live one is listed until it is revoked or ended", async () => {
    const { store } = opened();
    const used = (ask: string): GrantEvent => ({ type: "grant.used", grant: "g1", ask, title: "$ npm test" });
    const steps: [number, string, GrantEvent][] = [
      [1, "g1", givenGrant("g1")],
      [2, "g2", givenGrant("g2", { until: 99 })],
      [3, "g1", used("a1")],
      [4, "g2", { type: "grant.revoked", grant: "g2", by: { type: "person", surface: "cli" } }],
      [5, "g1", { type: "grant.edited", grant: "g1", end: { calls: 9 }, by: { type: "person", surface: "web" } }],
      [6, "g3", givenGrant("g3", { task: "t" })],
      [7, "g3", { type: "grant.ended", grant: "g3", reason: "task" }],
      // What has ended is used no more.
      [8, "g3", { ...used("a2"), grant: "g3" }],
    ];
    const versions = new Map<string, number>();
    for (const [at, id, event] of steps) {
      const expected = versions.get(id) ?? 0;
      expect((await store.append({ at, grant: { id, expected, events: [event] } })).type).toBe("done");
      versions.set(id, expected + 1);
    }
    const folded = (id: string) =>
      steps
        .filter(([, of]) => of === id)
        .reduce<Grant | undefined>((g, [at, , event]) => applyGrantEvent(g, event, { id, at }), undefined);
    for (const id of ["g1", "g2", "g3"]) expect(await store.grant(id)).toEqual(folded(id));
    expect(await store.grant("g3")).toMatchObject({ state: "ended", used: 0, endReason: "task" });
    const named = async (query: { live?: boolean; limit?: number }) => (await store.grants(query)).map(({ id }) => id);
    expect(await named({})).toEqual(["g3", "g2", "g1"]);
    expect(await named({ live: true })).toEqual(["g1"]);
    expect(await named({ limit: 1 })).toEqual(["g3"]);
  });

  test("[GR17] a grant and the Ask that uses it are written together, or neither is", async () => {
    const { store } = opened();
    await store.append({ at: 1, grant: { id: "g", expected: 0, events: [givenGrant("g")] } });
    const use = (ask: string, expected: number) =>
      store.append({
        at: 2,
        ask: { id: ask, expected: 0, events: [captured("approval")] },
        grant: { id: "g", expected, events: [{ type: "grant.used", grant: "g", ask, title: "" }] },
      });
    const [first, second] = await Promise.all([use("a1", 1), use("a2", 1)]);
    expect([first?.type, second?.type]).toEqual(["done", "conflict"]);
    expect([(await store.grant("g"))?.used, await store.ask("a2")]).toEqual([1, undefined]);
  });
}
