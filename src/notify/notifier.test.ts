import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeId } from "../core/id.ts";
import { createConfigFiles } from "../machine/settings/config-file.ts";
import { openMemory } from "../store/memory.ts";
import { openLedger } from "../store/sqlite/ledger.ts";
import { answered, database } from "../../test/sample.ts";
import type { Messenger } from "./messenger.ts";
import { createNotifier } from "./notifier.ts";

const CROWD = 300;
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A notifier whose one messenger can be used or not; its queue keeps what is announced in the ledger. */
function stage() {
  const folder = mkdtempSync(join(tmpdir(), "parley-notifier-"));
  folders.push(folder);
  const file = join(folder, "config.toml");
  writeFileSync(file, "notify.after_seconds = 0\n");
  const store = openMemory();
  const ledger = openLedger(join(folder, "ledger.db"));
  let [at, looks, isOpen] = [Date.now(), 0, false];
  const now = () => at;
  const messenger: Messenger = {
    name: "webhook",
    links: false,
    off: () => (looks++, isOpen ? undefined : "off"),
    send: async () => ({ ref: {}, detail: "" }),
    withdraw: async () => {},
  };
  const notifier = createNotifier({
    store,
    config: createConfigFiles({ env: { PARLEY_CONFIG: file }, cwd: folder }),
    ledger,
    channels: [messenger],
    sendQueue: { run: async () => Infinity, stop: async () => {} },
    linkServer: { follow() {}, stop: async () => {}, port: 0 },
    now,
    log: () => {},
    noted: async () => {},
    digests: { run: async () => Infinity, stop: async () => {} },
    heard: async () => {},
  });
  const append = (id: string, expected: number, events: Parameters<typeof store.append>[0]["ask"]) =>
    store.append({ at, ask: { ...events, id, expected, events: events?.events ?? [] } });
  return {
    notifier,
    ledger,
    looks: () => looks,
    open: () => void (isOpen = true),
    pass: (ms: number) => void (at += ms),
    async ask(): Promise<string> {
      const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
      const origin = { agent: "script", cwd: folder };
      const captured = { type: "ask.captured" as const, kind: "question" as const, questions: [database], origin };
      await append(id, 0, { id, expected: 0, events: [{ ...captured, key: "fetch", channel: "fetch" }] });
      return id;
    },
    settle: (id: string) =>
      append(id, 1, { id, expected: 1, events: [{ type: "ask.settled", outcome: answered({ picks: [0] }) }] }),
  };
}

test("[LD3] of a crowd that nobody can be told about a look asks each messenger once; all of it is told when one can be used", async () => {
  const { notifier, ledger, looks, open, pass, ask, settle } = stage();
  try {
    const early = await ask();
    await notifier.tick();
    const ids = await Promise.all(Array.from({ length: CROWD }, ask));
    const before = looks();
    await notifier.tick();
    expect(looks() - before).toBeLessThan(10);
    const over = await ask();
    await settle(over);
    open();
    // By then each of them is looked at again.
    pass(3_600_000);
    await notifier.tick();
    expect(
      ledger
        .sends()
        .map((send) => send.ask)
        .toSorted(),
    ).toEqual([early, ...ids].toSorted());
    await notifier.tick();
    expect(ledger.sends()).toHaveLength(CROWD + 1);
  } finally {
    await notifier.stop();
  }
});
