import { expect, test } from "bun:test";
import { array, assert, asyncProperty, constantFrom } from "fast-check";
import type { Ask } from "../../../src/core/ask/ask.ts";
import type { AskEvent, LogEvent } from "../../../src/core/ask/event.ts";
import { applyAskEvent } from "../../../src/core/ask/lifecycle.ts";
import { answered, captured, closed, create, seen, sent, settled, verified } from "../store-sample.ts";
import { askOf, idsIn, type Opened, typesIn } from "./opened.ts";

export function appendContract(opened: () => Opened): void {
  test("[ST1] what was appended is read back, with its place in the log", async () => {
    const { store } = opened();
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
    const { store } = opened();
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
    const { store } = opened();
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
    const { store } = opened();
    await create(store, { id: "a" });
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        store.append({ at: 2000, ask: { id: "a", expected: 1, events: [settled(2000, `s${i}`)] } }),
      ),
    );
    const [won, ...others] = results.filter(({ type }) => type === "done");
    expect([others.length, results.filter(({ type }) => type === "conflict").length]).toEqual([0, 49]);
    expect(await store.ask("a")).toEqual(won && askOf(won));
    expect(await typesIn(store, "a")).toEqual(["ask.captured", "ask.settled"]);
  });

  test("[ST5] a used key answers with the Ask as it is now and changes nothing", async () => {
    const { store } = opened();
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
    expect(await typesIn(store)).toEqual(["ask.captured", "ask.settled"]);
  });

  test("[ST14] events of a type this version does not know load", async () => {
    const { store } = opened();
    await create(store, { id: "a" });
    const later = { type: "ask.pondered", until: 9 } as unknown as AskEvent;
    const result = await store.append({ at: 2, ask: { id: "a", expected: 1, events: [later] } });
    expect(result).toMatchObject({ type: "done", ask: { version: 2, state: "open" } });
    expect((await store.events({})).at(-1)).toMatchObject({ type: "ask.pondered", ask: "a", data: { until: 9 } });
  });

  test("[ST17] an error in one change of a group undoes and fails that one alone", async () => {
    const { store } = opened();
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
    expect(await idsIn(store, {})).toEqual(["a", "b"]);
    expect(heard.map((event) => event.ask ?? "")).toEqual(["a", "b"]);
    expect(await store.events({})).toEqual(heard);
  });

  test("[ST18] a change with an Ask and a session happens as a whole", async () => {
    const { store } = opened();
    const events: AskEvent[] = [captured("question", { session: "s1" })];
    const result = await store.append({ at: 1, ask: { id: "a", expected: 0, events }, session: seen("s1") });
    expect(result).toMatchObject({ type: "done", ask: { id: "a" }, session: { id: "s1" } });
    const taken = store.append({ at: 2, ask: { id: "a", expected: 0, events }, session: seen("s2") });
    expect((await taken).type).toBe("conflict");
    expect(await store.session("s2")).toBeUndefined();
  });

  test("[SX1] changes of one Ask that arrive together build on each other, and each is told what it did", async () => {
    const { store } = opened();
    const on = (expected: number, event: AskEvent) =>
      store.append({ at: 1000 + expected, ask: { id: "a", expected, events: [event] } });
    const results = await Promise.all([
      on(0, captured()),
      on(1, settled(7)),
      on(1, settled(8, "web")),
      on(2, sent),
      on(3, verified),
    ]);
    expect(results.map((result) => [result.type, "ask" in result && result.ask?.version])).toEqual([
      ["done", 1],
      ["done", 2],
      ["conflict", 2],
      ["done", 3],
      ["done", 4],
    ]);
    expect(results[2]).toMatchObject({ ask: { state: "settled", outcome: { actor: { surface: "cli" } } } });
    expect(await store.ask("a")).toEqual(askOf(results[4]));
    expect(await store.ask("a")).toEqual(foldOf(await store.events({ ask: "a" })) as Ask);
  });

  test("[SX36] a new Ask whose id is taken is a conflict with what is there; what arrives with it is written", async () => {
    const { store } = opened();
    const there = askOf(await create(store, { id: "a", at: 1 }));
    const on = (id: string, event: AskEvent) => store.append({ at: 2, ask: { id, expected: 0, events: [event] } });
    const results = await Promise.all([
      on("b", captured()),
      on("a", captured("approval")),
      on("a", settled(3)),
      store.append({ at: 2, ask: { id: "a", expected: 0, events: [] } }),
      store.append({ at: 2, ask: { id: "a", expected: 1, events: [settled(4)] } }),
    ]);
    expect(results.map(({ type }) => type)).toEqual(["done", "conflict", "conflict", "conflict", "done"]);
    expect(results[1]).toEqual({ type: "conflict", ask: there });
    expect(await idsIn(store, {})).toEqual(["a", "b"]);
    expect((await store.events({})).map(({ ask, type }) => `${ask} ${type}`)).toEqual([
      "a ask.captured",
      "b ask.captured",
      "a ask.settled",
    ]);
    expect(await store.ask("a")).toMatchObject({ kind: "question", version: 2, state: "settled" });
  });

  test("[SX2] numbers begin with 1, have no gaps and follow the order of the calls, whatever failed between them", async () => {
    const { store } = opened();
    expect(await store.lastSeq()).toBe(0);
    await create(store, { id: "a", more: [settled(1)] });
    await Promise.allSettled([
      create(store, { id: "b" }),
      store.append({ at: 1, ask: { id: "ghost", expected: 0, events: [settled(1)] } }),
      store.append({ at: 1, ask: { id: "a", expected: 9, events: [sent] } }),
      store.append({ at: 1, session: seen("s1"), ask: { id: "c", expected: 0, events: [captured()] } }),
      create(store, { id: "half", more: [{ ...closed(1), size: 1n }] }),
    ]);
    await create(store, { id: "d" });
    expect((await store.events({})).map(({ seq, ask = "", session = "" }) => [seq, ask, session])).toEqual([
      [1, "a", ""],
      [2, "a", ""],
      [3, "b", ""],
      [4, "c", ""],
      [5, "", "s1"],
      [6, "d", ""],
    ]);
    expect(await store.lastSeq()).toBe(6);
  });

  test("[SX3] only a change that happened uses up its key, and only one with an Ask", async () => {
    const { store } = opened();
    const once = { key: "k", digest: "d" };
    const of = (id: string, expected: number, event: AskEvent) => ({
      at: 1,
      ask: { id, expected, events: [event] },
      once,
    });
    const refused = await Promise.allSettled([
      store.append(of("ghost", 0, settled(1))),
      store.append(of("a", 3, settled(1))),
      store.append({ at: 1, session: seen("s1"), once }),
    ]);
    expect(refused.map((each) => (each.status === "fulfilled" ? each.value.type : each.status))).toEqual([
      "rejected",
      "conflict",
      "done",
    ]);
    expect(await store.used("k")).toBeUndefined();
    expect((await store.append(of("a", 0, captured()))).type).toBe("done");
    // Before it is looked at what it was decided on: the one who asks again cannot know.
    expect((await store.append(of("a", 7, settled(1)))).type).toBe("replayed");
    expect((await store.used("k"))?.ask.id).toBe("a");
  });

  test("[SX4] what was handed over and what was read are the caller's own: changing them changes nothing kept", async () => {
    const { store } = opened();
    const event = captured();
    const made = askOf(await store.append({ at: 1, ask: { id: "a", expected: 0, events: [event] } }));
    const before = structuredClone([await store.ask("a"), await store.events({}), await store.list({})]);
    const [listed] = await store.list({});
    const [logged] = await store.events({});
    Object.assign(event, { kind: "plan" });
    for (const each of [made, listed, logged, await store.ask("a")])
      Object.assign(each ?? {}, { at: 9, state: "gone" });
    Object.assign(logged?.data ?? {}, { type: "gone" });
    listed?.questions.pop();
    expect([await store.ask("a"), await store.events({}), await store.list({})]).toEqual(before);
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
