import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHolds } from "../../src/delivery/holds.ts";
import { createKeyChannel } from "../../src/delivery/key-channel.ts";
import { createPaneWatch } from "../../src/delivery/pane-watch.ts";
import { createContext } from "../../src/inbox/context.ts";
import { createInbox } from "../../src/inbox/inbox.ts";
import { createReconciler } from "../../src/inbox/reconcile.ts";
import { openMemory } from "../../src/store/memory.ts";
import { channelContract, type ChannelStage } from "../contract/channel.ts";
import { openKeysStage } from "./keys-stage.ts";
import { eachVersion, question } from "./stage.ts";

const log = () => undefined;
const now = Date.now;

/** The real agent asks in a terminal that is watched; what its model receives is what was handed over. */
async function openKeys(version: string): Promise<ChannelStage> {
  const agent = await openKeysStage(version, [100, 30]);
  const folder = mkdtempSync(join(tmpdir(), "parley-keys-"));
  const store = openMemory();
  const inbox = createInbox({ store, now });
  const reconciler = createReconciler({ store, inbox, now, log });
  const isForAll = () => false;
  const channel = createKeyChannel({ store, inbox, holds: createHolds(), reconciler, isForAll, log });
  const panes = createPaneWatch({
    store,
    inbox,
    reconciler,
    // The contract alone hands over.
    deliver: async () => undefined,
    context: createContext({ store, inbox, now }),
    file: join(folder, "panes.json"),
    now,
    log,
  });
  const [call] = await agent.asks([question("Which database?", ["SQLite", "PostgreSQL"])]);
  const pane = agent.claude.tmux.address();
  let id: string | undefined;
  while (id === undefined) {
    id = (await panes.look(pane)).ask?.id;
    await Bun.sleep(20);
  }
  const asked = id;
  const ask = async () => (await store.ask(asked)) ?? Promise.reject(new Error("gone"));
  return {
    channel,
    ask,
    async settle() {
      await inbox.settle(asked, { action: "answer", answers: [{ picks: [1] }] }, { type: "person", surface: "cli" });
    },
    leave: () => agent.claude.kill(),
    handed: () => agent.model.toolResults().filter(({ toolUseId }) => toolUseId === call).length,
    async close() {
      channel.stop();
      panes.stop();
      await agent[Symbol.asyncDispose]();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

eachVersion("What every way back must do", ({ version, once }) => {
  const looksLate = "who is in a terminal is seen when it is looked at, right before the first key";
  channelContract("keys", () => openKeys(version), { each: once, looksLate });
});
