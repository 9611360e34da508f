import { afterEach, beforeEach, expect, test } from "bun:test";
import type { AskEvent } from "../core/ask/event.ts";
import { openMemory } from "../store/memory.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import { createInbox } from "./inbox.ts";
import { createReconciler } from "./reconcile.ts";

let store: Store;
beforeEach(() => {
  store = openMemory();
});
afterEach(() => store.close());

test("[PF6] a sweep looks at some of very many Asks, the next one goes on there, and all get their turn", async () => {
  const now = () => 1_000_000;
  const reconciler = createReconciler({ store, inbox: createInbox({ store, now }), now, log: () => {} });
  const gone = { agent: "claude-code", process: { pid: 2 ** 30, started: "1" } };
  await store.append({ at: 1, session: { id: "s", events: [{ type: "session.seen", session: gone }] } });
  const asked = { kind: "question" as const, questions: [], key: "k", channel: "race" };
  const captured: AskEvent = { type: "ask.captured", ...asked, origin: { agent: "claude-code", session: "s" } };
  const ids = Array.from({ length: 1200 }, (_, i) => `a${String(i).padStart(4, "0")}`);
  await Promise.all(ids.map((id, i) => store.append({ at: i, ask: { id, expected: 0, events: [captured] } })));
  const left = async () => (await store.list({ states: ACTIVE, limit: 2000 })).map(({ id }) => id);

  const counts: number[] = [];
  while (counts.at(-1) !== 0) {
    await reconciler.sweep();
    const still = await left();
    expect(still).toEqual(ids.slice(ids.length - still.length));
    expect(still.length).toBeLessThan(counts.at(-1) ?? ids.length);
    counts.push(still.length);
  }
  expect(counts[0]).toBeGreaterThan(0);
});

test("[KW16] why a question is not followed to its end is in the log; a result that comes too late is warned of", async () => {
  const now = () => 1_000_000;
  const lines: unknown[] = [];
  const inbox = createInbox({ store, now });
  const reconciler = createReconciler({
    store,
    inbox,
    now,
    log: (level, _, { ask, why, reason } = {}) => lines.push([level, ask, why ?? reason]),
  });
  const origin = { agent: "claude-code", session: "s" };
  const { id } = await inbox.create({ kind: "question", questions: [], origin, key: "k", channel: "keys" });
  await reconciler.follow(id, 0);
  expect(lines.splice(0)).toEqual([["debug", id, "no transcript of its session is known"]]);
  await store.append({
    at: 1,
    session: { id: "s", events: [{ type: "session.seen", session: { agent: "claude-code", transcript: "/nowhere" } }] },
  });
  await reconciler.follow(id, 0);
  expect(lines.splice(0)).toEqual([["debug", id, "the transcript has no result of it yet"]]);
  await reconciler.giveUp(id, "moved-on");
  await reconciler.giveUp(id, "agent-exited");
  expect(lines.splice(0)).toEqual([["debug", id, "agent-exited"]]);
  await reconciler.report(id, "k", { type: "lost", text: "late" });
  await reconciler.report(id, "another", { type: "lost", text: "whose?" });
  expect(lines).toEqual([
    ["warn", id, undefined],
    ["warn", id, undefined],
  ]);
});
