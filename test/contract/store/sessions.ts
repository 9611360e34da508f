import { expect, test } from "bun:test";
import type { SessionEvent } from "../../../src/core/ask/event.ts";
import { applySessionEvent } from "../../../src/core/ask/lifecycle.ts";
import type { Session } from "../../../src/core/ask/session.ts";
import type { Store } from "../../../src/store/store.ts";
import { seen } from "../store-sample.ts";
import type { Opened } from "./opened.ts";

export function sessionContract(opened: () => Opened): void {
  test("[ST11] sessions are the fold of their events; live ones have not ended", async () => {
    const { store } = opened();
    const events: [number, string, SessionEvent][] = [
      [1, "s1", seen("s1", { agent: "script", cwd: "/a" }).events[0]],
      [2, "s2", seen("s2", { agent: "script", later: { kept: true } }).events[0]],
      [3, "s1", seen("s1", { cwd: "/b" }).events[0]],
      [4, "s2", { type: "session.ended", reason: "exit" }],
      [5, "s3", seen("s3").events[0]],
      [6, "s3", { type: "session.ended", reason: "exit" }],
      [7, "s3", seen("s3").events[0]],
    ];
    for (const [at, id, event] of events) await store.append({ at, session: { id, events: [event] } });
    const fold = (id: string) =>
      events
        .filter(([, of]) => of === id)
        .reduce<Session | undefined>((s, [at, , event]) => applySessionEvent(s, event, { id, at }), undefined);
    for (const id of ["s1", "s2", "s3"]) expect(await store.session(id)).toEqual(fold(id));
    expect(await store.session("s2")).toMatchObject({ endedAt: 4, endReason: "exit", later: { kept: true } });
    const named = async (query: Parameters<Store["sessions"]>[0]) => (await store.sessions(query)).map(({ id }) => id);
    expect(await named({})).toEqual(["s3", "s1", "s2"]);
    expect(await named({ live: true })).toEqual(["s3", "s1"]);
    expect(await named({ live: true, limit: 1 })).toEqual(["s3"]);
    expect((await store.events({})).map(({ session }) => session ?? "")).toEqual(events.map(([, id]) => id));
  });
}
