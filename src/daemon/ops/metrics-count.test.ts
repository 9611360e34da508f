import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathsIn } from "../../machine/home.ts";
import { openMemory } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { startCounting } from "./metrics-count.ts";

let home = "";
let store: Store;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "parley-"));
  store = openMemory();
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

const ask = async (id: string) =>
  store.append({
    at: 1,
    ask: {
      id,
      expected: 0,
      events: [
        { type: "ask.captured", kind: "question", questions: [], origin: { agent: "x" }, key: "k", channel: "fetch" },
      ],
    },
  });

test.each(["before", "after"])("[OP11] what is committed %s a look at the log is counted once", async (when) => {
  await ask("old");
  let isNew = true;
  /** As slow as a database elsewhere: something happens between asking and getting. */
  const slow: Store = {
    ...store,
    async events(query) {
      const early = isNew && when === "before" ? await ask("new") : undefined;
      const page = await store.events(query);
      if (isNew && !early && page.length > 0) return page;
      if (isNew && !early) await ask("new");
      isNew = false;
      return page;
    },
  };
  const counting = startCounting({
    store: slow,
    paths: pathsIn(home),
    failed: (error) => expect.unreachable(String(error)),
  });
  while (!counting.now()) await Bun.sleep(1);
  await ask("live");
  expect(counting.now()?.captured).toEqual({ question: 3 });
  expect(Object.keys(counting.now()?.active ?? {}).toSorted()).toEqual(["live", "new", "old"]);
  await counting.stop();

  const again = startCounting({ store, paths: pathsIn(home), failed: (error) => expect.unreachable(String(error)) });
  while (!again.now()) await Bun.sleep(1);
  expect(again.now()?.captured).toEqual({ question: 3 });
  await again.stop();
});
