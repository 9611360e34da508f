import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreAdmin } from "../../src/store/admin.ts";
import type { Engine } from "../../src/store/engine.ts";
import type { Store } from "../../src/store/store.ts";
import { create, settled } from "./store-sample.ts";

/** What can be done with everything an engine keeps. */
export function storeAdminContract(name: string, engine: Engine): void {
  describe(name, () => {
    let dir: string;
    let path: string;
    let admin: StoreAdmin;
    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), "parley-admin-"));
      path = join(dir, "kept");
      admin = engine.admin(path);
    });
    afterEach(() => rmSync(dir, { recursive: true }));

    async function keep(...ids: string[]): Promise<void> {
      const store = engine.openStore(path);
      for (const id of ids) await create(store, { id, at: 7, more: [settled(7)] });
      await store.close();
    }
    async function within<T>(use: (store: Store) => Promise<T>): Promise<T> {
      const store = engine.openStore(path);
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    }
    const ids = () => within(async (store) => (await store.list({})).map(({ id }) => id));

    test("[SX23] a check tells empty, sound and damaged apart, and leaves everything as it is", async () => {
      expect(await admin.check()).toEqual({ type: "empty" });
      expect(readdirSync(dir)).toEqual([]);
      await keep("a", "b");
      const before = [readdirSync(dir), readFileSync(path)] as const;
      expect(await admin.check()).toEqual({ type: "sound", asks: 2, events: 4, newestAt: 7 });
      expect([readdirSync(dir), readFileSync(path)]).toEqual([...before]);
      const store = engine.openStore(path);
      await create(store, { id: "c", at: 9 });
      expect(await admin.check()).toEqual({ type: "sound", asks: 3, events: 5, newestAt: 9 });
      await store.close();
      writeFileSync(path, "something else\n".repeat(1000));
      expect(await admin.check()).toMatchObject({ type: "damaged", detail: expect.any(String) });
    });

    test("[SX24] a backup of an open store is one private file that says what it holds, and a restore puts it back", async () => {
      const [copy, store] = [join(dir, "copy"), engine.openStore(path)];
      await create(store, { id: "a" });
      const contents = await admin.backup(copy);
      expect(contents).toMatchObject({ asks: 1, events: 1, bytes: statSync(copy).size });
      expect([statSync(copy).mode & 0o777, await admin.inspect(copy)]).toEqual([0o600, contents]);
      await create(store, { id: "later" });
      await store.close();
      const { before = "", ...restored } = await admin.restore(copy);
      expect(restored).toMatchObject({ asks: 1, events: 1 });
      expect(await ids()).toEqual(["a"]);
      expect(await admin.inspect(before)).toMatchObject({ asks: 2 });
      await admin.restore(before);
      expect(await ids()).toEqual(["a", "later"]);
    });

    test("[SX25] a backup goes nowhere where something is, and what is no backup is not restored: all is as it was", async () => {
      const other = join(dir, "other");
      await keep("a");
      writeFileSync(other, "mine");
      const before = [readdirSync(dir), readFileSync(path)];
      expect(await admin.backup(other).catch(({ code }: { code: string }) => code)).toBe("EEXIST");
      for (const file of [other, join(dir, "nothing")]) {
        expect(await admin.inspect(file).catch(({ code }: { code: string }) => code)).toMatch(/^(invalid|not_found)$/);
        expect(
          await admin.restore(file).then(
            () => "restored",
            () => "refused",
          ),
        ).toBe("refused");
      }
      expect([readdirSync(dir), readFileSync(path)]).toEqual(before);
      expect([readFileSync(other, "utf8"), existsSync(join(dir, "nothing"))]).toEqual(["mine", false]);
    });

    test("[SX26] the first restore needs nothing that was kept, and what a killed one left is removed", async () => {
      await keep("a");
      const copy = join(dir, "copy");
      await admin.backup(copy);
      const fresh = engine.admin((path = join(dir, "new")));
      expect(await fresh.restore(copy)).not.toHaveProperty("before");
      expect(await ids()).toEqual(["a"]);
      const names = readdirSync(dir);
      fresh.removeUnfinished();
      expect(readdirSync(dir)).toEqual(names);
    });
  });
}
