import { afterEach, beforeEach, expect, test } from "bun:test";
import type { LogEvent } from "../../core/ask/event.ts";
import { openMemory } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { createFeed } from "./feed.ts";

const NEVER_MS = 2 ** 30;
let store: Store;
let leaving: AbortController;
beforeEach(() => {
  store = openMemory();
  leaving = new AbortController();
});
afterEach(() => store.close());

test("[P50] a subscriber that takes nothing costs nothing", async () => {
  let reads = 0;
  const feed = createFeed({ ...store, events: (query) => (reads++, store.events(query)) });
  await write(250);
  const pages = feed.read(0, leaving.signal, NEVER_MS);
  expect((await pages.next()).value).toHaveLength(100);
  await write(250);
  expect(reads).toBe(1);
  expect((await pages.next()).value).toHaveLength(100);
  expect(reads).toBe(2);
});

test("[P51] what is committed while a page is being read is not missed", async () => {
  let late = 3;
  const slow = async (query: Parameters<Store["events"]>[0]) => {
    const found = await store.events(query);
    if (late-- > 0) await write(1);
    return found;
  };
  const pages = createFeed({ ...store, events: slow }).read(0, leaving.signal, NEVER_MS);
  const seqs: number[] = [];
  while (seqs.length < 3) seqs.push(...((await pages.next()).value as LogEvent[]).map(({ seq }) => seq));
  expect(seqs).toEqual([1, 2, 3]);
});

test("[P52] silence is an empty page", async () => {
  const pages = createFeed(store).read(0, leaving.signal, 1);
  expect((await pages.next()).value).toEqual([]);
  await write(1);
  expect((await pages.next()).value).toHaveLength(1);
  expect((await pages.next()).value).toEqual([]);
});

test("[P53] a subscriber that left is forgotten, also when it was waiting", async () => {
  const feed = createFeed(store);
  const waiting = feed.read(0, leaving.signal, NEVER_MS).next();
  while (feed.waiting === 0) await Promise.resolve();
  leaving.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(feed.waiting).toBe(0);
});

test("[PF3] subscribers at the same place of the log share what is read there", async () => {
  let reads = 0;
  const feed = createFeed({ ...store, events: (query) => (reads++, store.events(query)) });
  await write(1);
  const everybody = Array.from({ length: 50 }, () => feed.read(0, leaving.signal, NEVER_MS));
  const pages = await Promise.all(everybody.map(async (reader) => (await reader.next()).value));
  expect(pages.map((page) => (page as LogEvent[]).map(({ seq }) => seq))).toEqual(everybody.map(() => [1]));
  expect(reads).toBe(1);
  const next = everybody.map(async (reader) => (await reader.next()).value as LogEvent[]);
  while (feed.waiting < everybody.length) await Promise.resolve();
  await write(1);
  expect((await Promise.all(next)).map((page) => page.map(({ seq }) => seq))).toEqual(everybody.map(() => [2]));
  // One found nothing new, one found the new event.
  expect(reads).toBe(3);
});

async function write(count: number): Promise<void> {
  const seen = { type: "session.seen" as const, session: {} };
  await Promise.all(Array.from({ length: count }, () => store.append({ at: 1, session: { id: "s", events: [seen] } })));
}
