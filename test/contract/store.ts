import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { array, assert, asyncProperty, constantFrom } from "fast-check";
import type { Ask } from "../../src/core/ask/ask.ts";
import type { AskEvent, LogEvent, SessionEvent } from "../../src/core/ask/event.ts";
import { applyAskEvent, applySessionEvent } from "../../src/core/ask/lifecycle.ts";
import type { Session } from "../../src/core/ask/session.ts";
import { ACTIVE, type AskQuery, DONE, type Store } from "../../src/store/store.ts";
import { answered, captured, closed, create, happen, sent, settled, verified } from "./store-sample.ts";

export type Opened = { store: Store; reopen(): Promise<Store>; dispose(): Promise<void> };

/** What every store must do. `open` gives a new, empty one; `reopen` closes it and opens the same one again. */
export function storeContract(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    let store: Store;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const ids = async (query: AskQuery) => (await store.list(query)).map(({ id }) => id);
    const types = async (ask?: string) => (await store.events(ask ? { ask } : {})).map(({ type }) => type);

    test("[ST1] what was appended is read back, with its place in the log", async () => {
      const result = await create(store, { id: "a", at: 5, origin: { session: "s1", project: "p" } });
      expect(result).toMatchObject({ type: "done", ask: { id: "a", version: 1, state: "open", createdAt: 5 } });
      expect(await store.ask("a")).toEqual(askOf(result));
      expect(await store.events({})).toEqual([
        {
          seq: await store.lastSeq(),
          at: 5,
          v: 1,
          type: "ask.captured",
          ask: "a",
          session: "s1",
          data: captured("question", { session: "s1", project: "p" }),
        },
      ]);
      expect(await store.ask("b")).toBeUndefined();
    });

    test("[ST2] every projection is the fold of its events, whatever happened", async () => {
      let round = 0;
      await assert(
        asyncProperty(array(constantFrom(...POSSIBLE), { maxLength: 12 }), async (history) => {
          const id = `fold-${round++}`;
          const first = askOf(await create(store, { id, at: 1 }));
          let version = first.version;
          for (const [i, event] of history.entries()) {
            const result = await store.append({ at: 2 + i, ask: { id, expected: version, events: [event] } });
            version = askOf(result).version;
          }
          expect(await store.ask(id)).toEqual(foldOf(await store.events({ ask: id })));
        }),
        { numRuns: 25 },
      );
    });

    test("[ST3] a change decided on an old version is a conflict and changes nothing", async () => {
      await create(store, { id: "a" });
      await store.append({ at: 2000, ask: { id: "a", expected: 1, events: [settled(2000)] } });
      const before = [await store.ask("a"), await store.lastSeq()];
      for (const expected of [0, 1, 3]) {
        const late = { id: "a", expected, events: [settled(3000, "web")] };
        const result = await store.append({
          at: 3000,
          ask: late,
          session: seen("s1"),
          once: { key: "k", digest: "d" },
        });
        expect(result).toMatchObject({ type: "conflict", ask: { version: 2, outcome: { actor: { surface: "cli" } } } });
      }
      const unknown = await store.append({ at: 1, ask: { id: "x", expected: 4, events: [settled(1)] } });
      expect(unknown).toEqual({ type: "conflict" });
      expect([await store.ask("a"), await store.lastSeq()]).toEqual(before);
      expect([await store.session("s1"), await store.used("k"), await store.ask("x")]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    test("[ST4] of many changes decided on the same version exactly one wins", async () => {
      await create(store, { id: "a" });
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          store.append({ at: 2000, ask: { id: "a", expected: 1, events: [settled(2000, `s${i}`)] } }),
        ),
      );
      const [won, ...others] = results.filter(({ type }) => type === "done");
      expect([others.length, results.filter(({ type }) => type === "conflict").length]).toEqual([0, 49]);
      expect(await store.ask("a")).toEqual(won && askOf(won));
      expect(await types("a")).toEqual(["ask.captured", "ask.settled"]);
    });

    test("[ST5] a used key answers with the Ask as it is now and changes nothing", async () => {
      const first = { id: "a", expected: 0, events: [captured()] };
      const once = { key: "k", digest: "d1" };
      const twice = await Promise.all([
        store.append({ at: 1, ask: first, once }),
        store.append({ at: 1, ask: { ...first, id: "b" }, once }),
      ]);
      expect(twice.map(({ type }) => type)).toEqual(["done", "replayed"]);
      await store.append({ at: 2, ask: { id: "a", expected: 1, events: [settled(2)] } });
      const again = await store.append({ at: 3, ask: { ...first, id: "c" }, once: { key: "k", digest: "d2" } });
      const now = await store.ask("a");
      expect(now?.state).toBe("settled");
      expect(again).toEqual({ type: "replayed", digest: "d1", ask: now as Ask });
      expect(await store.used("k")).toEqual({ digest: "d1", ask: now as Ask });
      expect([await store.ask("b"), await store.ask("c"), await store.used("other")]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await types()).toEqual(["ask.captured", "ask.settled"]);
    });

    test("[ST6] listeners hear committed events in the order of the log, before append resolves", async () => {
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

    test("[ST8] asks are filtered by state, kind, session and project", async () => {
      await create(store, { id: "open", origin: { session: "s1", project: "p1" } });
      await create(store, { id: "plan", kind: "plan", origin: { session: "s1", project: "p2" } });
      await create(store, { id: "settled", origin: { session: "s2", project: "p1" } });
      for (const id of ["verified", "closed"]) await create(store, { id });
      await happen(store, "settled", [settled(1)]);
      await happen(store, "verified", [settled(1), sent, verified]);
      await happen(store, "closed", [closed(1)]);
      expect(await ids({ states: ["open"] })).toEqual(["open", "plan"]);
      expect(await ids({ states: ACTIVE })).toEqual(["open", "plan", "settled"]);
      expect(await ids({ states: DONE })).toEqual(["closed", "verified"]);
      expect(await ids({ kind: "plan" })).toEqual(["plan"]);
      expect(await ids({ session: "s1" })).toEqual(["open", "plan"]);
      expect(await ids({ project: "p1" })).toEqual(["open", "settled"]);
      expect(await ids({ project: "p1", session: "s1", kind: "question", states: ["open"] })).toEqual(["open"]);
      expect(await ids({ session: "' OR 1=1 --" })).toEqual([]);
      expect([await store.count(["open"]), await store.count(DONE), await store.count(ACTIVE)]).toEqual([2, 2, 3]);
    });

    test("[ST9] pages in either order hold every ask once, also those of the same moment", async () => {
      const made = ["e", "b", "d", "a", "c", "g", "f"];
      const origin = { session: "s1", project: "p1" };
      for (const [i, id] of made.entries()) await create(store, { id, at: i < 5 ? 1000 : 900, origin });
      const oldest = ["f", "g", "a", "b", "c", "d", "e"];
      for (const filter of [{}, { session: "s1" }, { project: "p1" }, { states: ["open"] }] as AskQuery[]) {
        expect(await paged({ ...filter, order: "oldest" })).toEqual(oldest);
        expect(await paged({ ...filter, order: "newest" })).toEqual(oldest.toReversed());
      }
      expect(await ids({ order: "newest", limit: 2, after: "c" })).toEqual(["b", "a"]);
    });

    test("[ST10] a prefix finds at most ten ids, and is no pattern", async () => {
      for (let i = 0; i < 12; i++) await create(store, { id: `ab${String(i).padStart(2, "0")}` });
      for (const id of ["a", "ac1", "AB1", "é1"]) await create(store, { id });
      expect(await store.idsLike("ab0")).toEqual(Array.from({ length: 10 }, (_, i) => `ab0${i}`));
      expect(await store.idsLike("ab1")).toEqual(["ab10", "ab11"]);
      expect(await store.idsLike("ab")).toHaveLength(10);
      expect(await store.idsLike("é")).toEqual(["é1"]);
      for (const none of ["x", "%", "_", "ab%", "a_1", "'"]) expect(await store.idsLike(none)).toEqual([]);
    });

    test("[ST11] sessions are the fold of their events; live ones have not ended", async () => {
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
      const named = async (query: Parameters<Store["sessions"]>[0]) =>
        (await store.sessions(query)).map(({ id }) => id);
      expect(await named({})).toEqual(["s3", "s1", "s2"]);
      expect(await named({ live: true })).toEqual(["s3", "s1"]);
      expect(await named({ live: true, limit: 1 })).toEqual(["s3"]);
      expect((await store.events({})).map(({ session }) => session ?? "")).toEqual(events.map(([, id]) => id));
    });

    test("[ST12] the log is read from any point, of one Ask, or from its end", async () => {
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

    test("[ST13] fields this version does not know survive, in asks and in the log", async () => {
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
      store = await opened.reopen();
      expect(await store.ask("a")).toMatchObject({ questions: [question], origin: later.origin, outcome });
      expect((await store.events({ ask: "a" })).map(({ data }) => data)).toEqual([
        later,
        { type: "ask.settled", outcome },
      ]);
    });

    test("[ST14] events of a type this version does not know load", async () => {
      await create(store, { id: "a" });
      const later = { type: "ask.pondered", until: 9 } as unknown as AskEvent;
      const result = await store.append({ at: 2, ask: { id: "a", expected: 1, events: [later] } });
      expect(result).toMatchObject({ type: "done", ask: { version: 2, state: "open" } });
      expect((await store.events({})).at(-1)).toMatchObject({ type: "ask.pondered", ask: "a", data: { until: 9 } });
    });

    test("[ST15] prune removes what is done and old, with its events and keys, and nothing else", async () => {
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
      expect((await ids({})).toSorted()).toEqual(["delivered", "open", "recent", "settled"]);
      expect([await types("closed"), await types("verified"), await store.used("k")]).toEqual([[], [], undefined]);
      expect(await types("open")).toEqual(["ask.captured"]);
      expect(await store.lastSeq()).toBe(Math.max(...(await store.events({})).map(({ seq }) => seq)));
      expect(await store.session("s1")).toBeDefined();
      expect(await store.prune(5000)).toBe(0);
      const again = await store.append({ at: 6000, ask: { id: "new", expected: 0, events: [captured()] }, once });
      expect(again.type).toBe("done");
      // A number is never given twice: somebody may have read up to it.
      expect((await store.events({ ask: "new" }))[0]?.seq).toBeGreaterThan(last);
    });

    test("[PF1] prune removes sessions that ended before, once no Ask is about them, and nothing else", async () => {
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
      const many = Array.from({ length: 1000 }, (_, i) => create(store, { id: `old${i}`, more: [closed(1000)] }));
      await Promise.all(many);
      const order: string[] = [];
      const pruned = store.prune(5000).then((count) => order.push(`pruned ${count}`));
      await create(store, { id: "new" }).then(() => order.push("asked"));
      await pruned;
      expect(order).toEqual(["asked", "pruned 1000"]);
      expect(await ids({})).toEqual(["new"]);
    });

    test("[IN1] a draft is kept for its Ask, replaced, forgotten, and is no event", async () => {
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
      store = await opened.reopen();
      expect([await store.draft("a"), await store.draft("b")]).toEqual([draft("second"), undefined]);
      expect([await store.lastSeq(), (await store.ask("a"))?.version]).toEqual([seq, 1]);
      expect(await store.saveDraft("a", undefined)).toBe(true);
      expect(await store.draft("a")).toBeUndefined();
      expect(await store.saveDraft("ghost", draft("x"))).toBe(false);
      expect(await store.draft("ghost")).toBeUndefined();
    });

    test("[IN2] a draft outlives the settlement and goes with its Ask", async () => {
      const kept = { by: "web", at: 1, draft: { current: 0, entries: [] } };
      for (const id of ["old", "open"]) await create(store, { id });
      for (const id of ["old", "open"]) await store.saveDraft(id, kept);
      await happen(store, "old", [settled(1000), sent, verified], 1000);
      expect(await store.draft("old")).toEqual(kept);
      expect(await store.prune(5000)).toBe(1);
      expect([await store.draft("old"), await store.draft("open")]).toEqual([undefined, kept]);
    });

    test("[ST16] everything is there after it was closed and opened again", async () => {
      const once = { key: "k", digest: "d" };
      await store.append({ at: 1, ask: { id: "a", expected: 0, events: [captured()] }, session: seen("s1"), once });
      await create(store, { id: "b", more: [settled(1), sent, verified] });
      const all = async () => [
        await store.list({}),
        await store.events({}),
        await store.sessions({}),
        await store.used("k"),
        await store.lastSeq(),
      ];
      const before = await all();
      store = await opened.reopen();
      expect(await all()).toEqual(before);
      const next = await store.append({ at: 2, ask: { id: "a", expected: 1, events: [settled(2)] } });
      expect(next).toMatchObject({ type: "done", ask: { version: 2 } });
    });

    test("[ST17] an error in one change of a group undoes and fails that one alone", async () => {
      const heard: LogEvent[] = [];
      store.onCommit((events) => heard.push(...events));
      const unwritable = { ...closed(1), size: 1n } as AskEvent;
      const results = await Promise.allSettled([
        create(store, { id: "a" }),
        store.append({ at: 1, ask: { id: "ghost", expected: 0, events: [settled(1)] } }),
        create(store, { id: "half", more: [unwritable] }),
        create(store, { id: "timeless", at: Number.NaN }),
        create(store, { id: "b" }),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        "fulfilled",
        ...Array<"rejected">(3).fill("rejected"),
        "fulfilled",
      ]);
      expect(await ids({})).toEqual(["a", "b"]);
      expect(heard.map((event) => event.ask ?? "")).toEqual(["a", "b"]);
      expect(await store.events({})).toEqual(heard);
    });

    test("[ST18] a change with an Ask and a session happens as a whole", async () => {
      const events: AskEvent[] = [captured("question", { session: "s1" })];
      const result = await store.append({ at: 1, ask: { id: "a", expected: 0, events }, session: seen("s1") });
      expect(result).toMatchObject({ type: "done", ask: { id: "a" }, session: { id: "s1" } });
      const taken = store.append({ at: 2, ask: { id: "a", expected: 0, events }, session: seen("s2") });
      expect((await taken).type).toBe("conflict");
      expect(await store.session("s2")).toBeUndefined();
    });

    test("[ST19] a sound store has no problems, and one that is closed takes nothing", async () => {
      await create(store, { id: "a", more: [settled(1)] });
      expect(await store.problems()).toEqual([]);
      const waiting = create(store, { id: "b" });
      await store.close();
      expect((await waiting).type).toBe("done");
      expect(await create(store, { id: "c" }).catch(String)).toBe("Error: the store is closed");
      store = await opened.reopen();
      expect(await ids({})).toEqual(["a", "b"]);
    });

    async function paged(query: AskQuery): Promise<string[]> {
      const page = await ids({ ...query, limit: 3 });
      const last = page.at(-1);
      if (last === undefined) return [];
      return [...page, ...(await pagedAfter(query, last))];
    }

    async function pagedAfter(query: AskQuery, after: string): Promise<string[]> {
      const page = await ids({ ...query, limit: 3, after });
      const last = page.at(-1);
      return last === undefined ? [] : [...page, ...(await pagedAfter(query, last))];
    }
  });
}

const POSSIBLE: AskEvent[] = [
  captured("plan"),
  { type: "ask.joined", key: "k2", origin: { branch: "main" } },
  { type: "ask.joined", key: "k3", replaces: "k1" },
  { type: "ask.held", key: "k1", hold: "h1", channel: "race", racing: true },
  { type: "ask.released", key: "k1", hold: "h1", reason: "signal" },
  { type: "ask.snoozed", until: 50, actor: { type: "person", surface: "cli" } },
  settled(7),
  settled(8, "web"),
  sent,
  verified,
  { type: "ask.mismatched", key: "k1", detail: "something else" },
  { type: "ask.ended", key: "k2", outcome: { ...answered(9), type: "answered-elsewhere" } },
  closed(9),
];

function foldOf(events: readonly LogEvent[]): Ask | undefined {
  return events.reduce<Ask | undefined>(
    (ask, { ask: id = "", at, data }) => applyAskEvent(ask, data as AskEvent, { id, at }),
    undefined,
  );
}

function askOf(result: Awaited<ReturnType<Store["append"]>>): Ask {
  if (result.type !== "done" || !result.ask) throw new Error(`not done: ${result.type}`);
  return result.ask;
}

function seen(id: string, session: Partial<Session> = {}): { id: string; events: [SessionEvent] } {
  return { id, events: [{ type: "session.seen", session }] };
}
